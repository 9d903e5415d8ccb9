import { Skeleton } from 'antd';
import { ErrorState } from '@/components/ErrorState';
import { Money } from '@/components/Money';
import OptionCard from '@/components/OptionCard';
import optionStyles from '@/components/OptionCard/index.less';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import type { Purchase } from '@/services/order';
import { pickProducts, type Sku } from '@/services/product';
import { formatPrice } from '@/utils/formatMoney';
import { formatNumber } from '@/utils/formatNumber';
import styles from './choose.less';
import { QuantityField } from './QuantityField';

type SkuChoice = Extract<Purchase, { skuId: string }>;

interface SkuPickerProps {
  /** The heading where another page than checkout shows them. */
  title?: string;
  purchase: Purchase | null;
  onChange: (choice: SkuChoice) => void;
}

/** The DCU packs on sale as cards, and how many of the chosen one. */
export function SkuPicker({ title, purchase, onChange }: SkuPickerProps) {
  const text = useText();
  const { data, error, loading, refresh } = useCached('products', pickProducts);
  const choice = purchase && 'skuId' in purchase ? purchase : null;
  const chosen = data?.skus.find(({ skuId }) => skuId === choice?.skuId);
  const most = chosen ? Math.min(chosen.maxQuantity, chosen.left ?? chosen.maxQuantity) : 0;
  return (
    <section className={styles.card} aria-labelledby="checkout-packs">
      <h2 id="checkout-packs">{title ?? text('checkout.packs')}</h2>
      {!data && (error ? <ErrorState error={error} onRetry={refresh} isRetrying={loading} /> : <Skeleton active />)}
      {data?.skus.length === 0 && <p className={styles.hint}>{text('checkout.packs.empty')}</p>}
      {data && (
        <div className={optionStyles.options} role="radiogroup" aria-labelledby="checkout-packs">
          {data.skus.map((sku) => (
            <OptionCard
              key={sku.skuId}
              name="sku"
              isChosen={sku.skuId === choice?.skuId}
              title={<PackTitle sku={sku} />}
              reason={sku.left === 0 || sku.maxQuantity === 0 ? text('checkout.pack.soldOut') : ''}
              onChoose={() => onChange({ skuId: sku.skuId, quantity: 1 })}
            >
              <PackFacts sku={sku} isStudentPrice={data.isStudentPrice} />
            </OptionCard>
          ))}
        </div>
      )}
      {choice && most > 1 && (
        <QuantityField quantity={choice.quantity} max={most} onChange={(quantity) => onChange({ skuId: choice.skuId, quantity })} />
      )}
    </section>
  );
}

function PackTitle({ sku }: { sku: Sku }) {
  return (
    <>
      <bdi>{sku.name}</bdi>
      <Money fen={sku.priceFen} isPrice />
    </>
  );
}

function PackFacts({ sku, isStudentPrice }: { sku: Sku; isStudentPrice: boolean }) {
  const text = useText();
  const dcu = formatNumber(sku.dcu);
  const facts = [
    sku.bonusDcu > 0 ? text('checkout.pack.bonus', { dcu, bonus: formatNumber(sku.bonusDcu) }) : text('checkout.pack.dcu', { dcu }),
    sku.validDays !== null && text('checkout.pack.days', { days: sku.validDays }),
    sku.priceFen < sku.listFen && text('checkout.pack.student'),
    sku.priceFen < sku.listFen && text('checkout.pack.before', { price: formatPrice(sku.listFen) }),
    !isStudentPrice && sku.studentFen !== null && text('checkout.pack.students', { price: formatPrice(sku.studentFen) }),
    sku.left !== null && sku.left > 0 && text('checkout.pack.left', { left: sku.left }),
    sku.maxQuantity === 1 && text('checkout.pack.most'),
  ].filter((fact) => fact !== false);
  return <span>{facts.join(' · ')}</span>;
}
