import { Link, useModel, useNavigate } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Button } from 'antd';
import { useState } from 'react';
import { useText } from '@/hooks/useText';
import { type PackageOffers, priceCustomPackage } from '@/services/membership';
import { AmountField } from './AmountField';
import styles from './CustomBuilder.less';
import { CustomPrice } from './CustomPrice';
import { buyPath, packageEffect } from './packageEffect';

const DEBOUNCE_MS = 300;
const realName = '/main/personalCenter/accountSettings?tab=realName';

/** A package put together from cores, monthly DCU and months, with its price while one chooses. */
export function CustomBuilder({ offers: { custom, current } }: { offers: PackageOffers }) {
  const text = useText();
  const { cpuCores, monthlyDcu, months } = custom;
  const [built, setBuilt] = useState({ cpuCores: cpuCores.min, monthlyDcu: monthlyDcu.min, months: months.min });
  const price = useRequest(() => priceCustomPackage(built), {
    refreshDeps: [built],
    debounceWait: DEBOUNCE_MS,
    // Sliding asks once it rests; the first answer need not wait for that.
    debounceLeading: true,
    // The price shows its failure itself.
    onError: () => undefined,
  });
  const change = (part: Partial<typeof built>) => setBuilt((old) => ({ ...old, ...part }));
  return (
    <section className={styles.builder} aria-labelledby="custom-title">
      <div className={styles.form}>
        <h2 id="custom-title">{text('membership.custom')}</h2>
        <p>{text('membership.custom.hint')}</p>
        <AmountField
          label={text('membership.custom.cpuCores')}
          range={cpuCores}
          value={built.cpuCores}
          onChange={(cores) => change({ cpuCores: cores })}
        />
        <AmountField
          label={text('membership.custom.monthlyDcu')}
          range={monthlyDcu}
          value={built.monthlyDcu}
          onChange={(dcu) => change({ monthlyDcu: dcu })}
        />
        <AmountField
          label={text('membership.custom.months')}
          range={{ ...months, step: 1 }}
          value={built.months}
          onChange={(count) => change({ months: count })}
        />
      </div>
      <CustomPrice price={price} months={built.months}>
        <Buy built={built} needsRealName={custom.needsRealName} current={current} />
      </CustomPrice>
    </section>
  );
}

interface BuyProps {
  built: { cpuCores: number; monthlyDcu: number; months: number };
  needsRealName: boolean;
  current: PackageOffers['current'];
}

/** The way to the checkout; without a verified real name the way to that. */
function Buy({ built: { months, ...parts }, needsRealName, current }: BuyProps) {
  const text = useText();
  const navigate = useNavigate();
  const { isRealName } = useModel('session').currentUser;
  if (needsRealName && !isRealName) {
    return (
      <p className={styles.realName}>
        {text('membership.custom.realName')} <Link to={realName}>{text('membership.custom.toRealName')}</Link>
      </p>
    );
  }
  const words = { name: text('membership.custom.name'), current: current?.packageName ?? '' };
  const effect = packageEffect(current, { name: words.name, levelFlag: 3, cpuCores: parts.cpuCores });
  return (
    <>
      <Button
        block
        type="primary"
        size="large"
        aria-describedby="custom-effect"
        data-track="buy-custom"
        onClick={() => navigate(buyPath({ packageId: 'custom', months, custom: parts }))}
      >
        {text(`membership.effect.${effect}`, words)}
      </Button>
      <p id="custom-effect" className={styles.effect}>
        {text(`membership.effect.hint.${effect}`, words)}
      </p>
    </>
  );
}
