import { Segmented } from 'antd';
import { useUrlQuery } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import type { PackageOffers } from '@/services/membership';
import { FreeCard, PackageCard } from './PackageCard';
import styles from './PackageGrid.less';

export type Term = 'month' | 'year';

/** What there is to buy, side by side, by the month or by the year; the choice stands in the URL. */
export function PackageGrid({ offers }: { offers: PackageOffers }) {
  const text = useText();
  const { search, writeQuery } = useUrlQuery();
  const term: Term = new URLSearchParams(search).get('term') === 'year' ? 'year' : 'month';
  const { current } = offers;
  return (
    <section id="packages" aria-labelledby="packages-title">
      <div className={styles.head}>
        <div>
          <h2 id="packages-title">{text('membership.packages')}</h2>
          <p>
            {text('membership.packages.hint')} {offers.isStudentPrice ? text('membership.student.hint') : null}
          </p>
        </div>
        <Segmented<Term>
          aria-label={text('membership.term')}
          value={term}
          onChange={(next) => writeQuery({ term: next === 'year' ? next : null })}
          options={[
            { value: 'month', label: text('membership.term.month') },
            { value: 'year', label: text('membership.term.year') },
          ]}
        />
      </div>
      <div className={styles.cards}>
        <FreeCard offers={offers} />
        {offers.packages.map((offer) => (
          <PackageCard key={offer.packageId} offer={offer} term={term} current={current} />
        ))}
      </div>
      {current ? (
        <p className={styles.legend} aria-hidden="true">
          <span data-change="more">▲</span> {text('membership.legend.more')} <span data-change="less">▽</span>{' '}
          {text('membership.legend.less')}
        </p>
      ) : null}
    </section>
  );
}
