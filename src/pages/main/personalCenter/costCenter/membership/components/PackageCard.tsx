import { useNavigate } from '@umijs/max';
import { Button } from 'antd';
import { type ReactNode, useId } from 'react';
import { Money } from '@/components/Money';
import { Spoken } from '@/components/Spoken';
import { useText } from '@/hooks/useText';
import type { CurrentMembership, PackageOffer, PackageOffers } from '@/services/membership';
import { formatPrice } from '@/utils/formatMoney';
import { FeatureList } from './FeatureList';
import styles from './PackageCard.less';
import type { Term } from './PackageGrid';
import { buyPath, packageEffect } from './packageEffect';

interface PackageCardProps {
  offer: PackageOffer;
  term: Term;
  current: CurrentMembership | null;
}

/** A package: price, what buying it now would do, and what it allows beside what there is now. */
export function PackageCard({ offer, term, current }: PackageCardProps) {
  const text = useText();
  const navigate = useNavigate();
  const hintId = useId();
  const { name, packageId, levelFlag, ceilings } = offer;
  const effect = packageEffect(current, { name, levelFlag, cpuCores: ceilings.cpuCores });
  const words = { name, current: current?.packageName ?? '' };
  const isCurrent = effect === 'RENEW';
  const months = term === 'year' ? 12 : 1;
  return (
    <Card name={name} isCurrent={isCurrent} description={offer.description} price={<Price offer={offer} term={term} />}>
      <div className={styles.buy}>
        <Button
          block
          type={effect === 'UPGRADE' || effect === 'NEW' ? 'primary' : 'default'}
          aria-label={effect === 'QUEUE' ? text('membership.effect.QUEUE.name', words) : undefined}
          aria-describedby={hintId}
          data-track={`buy-${packageId}`}
          onClick={() => navigate(buyPath({ packageId, months }))}
        >
          {text(`membership.effect.${effect}`, words)}
        </Button>
        <p id={hintId}>{text(`membership.effect.hint.${effect}`, words)}</p>
      </div>
      <FeatureList ceilings={ceilings} monthlyDcu={offer.monthlyDcu} now={isCurrent ? undefined : current?.ceilings} />
    </Card>
  );
}

/** What everybody has. */
export function FreeCard({ offers: { freeCeilings, current } }: { offers: PackageOffers }) {
  const text = useText();
  const isCurrent = current?.levelFlag === 0;
  return (
    <Card
      name={text('frame.level.0')}
      isCurrent={isCurrent}
      description={text('membership.free.words')}
      price={<p className={styles.price}>{text('membership.per.free')}</p>}
    >
      <div />
      <FeatureList ceilings={freeCeilings} monthlyDcu={0} now={isCurrent ? undefined : current?.ceilings} />
    </Card>
  );
}

interface CardProps {
  name: string;
  isCurrent: boolean;
  description: string;
  price: ReactNode;
  children: ReactNode;
}

function Card({ name, isCurrent, description, price, children }: CardProps) {
  const text = useText();
  const id = useId();
  return (
    <article className={styles.card} data-current={isCurrent} aria-labelledby={id}>
      <header>
        <h3 id={id}>
          <bdi>{name}</bdi>
          {isCurrent ? <small className={styles.mark}>{text('membership.current')}</small> : null}
        </h3>
        <p className={styles.description}>{description}</p>
      </header>
      <div>{price}</div>
      {children}
    </article>
  );
}

function Price({ offer, term }: { offer: PackageOffer; term: Term }) {
  const text = useText();
  const isYear = term === 'year';
  const own = isYear ? offer.ownYearFen : offer.ownMonthFen;
  const list = isYear ? offer.yearFen : offer.monthFen;
  const saved = 12 * offer.ownMonthFen - offer.ownYearFen;
  return (
    <>
      {own < list ? (
        <p className={styles.former}>
          <Spoken>{text('membership.student.list')}</Spoken> <Money fen={list} isPrice isFormer />{' '}
          <span className={styles.student}>{text('membership.student')}</span>
        </p>
      ) : null}
      <p className={styles.price}>
        <Money fen={own} isPrice /> <small>{text(`membership.per.${term}`)}</small>
      </p>
      {isYear && saved > 0 ? (
        <p className={styles.each}>
          {text('membership.per.each', { amount: formatPrice(Math.floor(own / 12)), saved: formatPrice(saved) })}
        </p>
      ) : null}
    </>
  );
}
