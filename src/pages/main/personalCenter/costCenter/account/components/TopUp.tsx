import { useLocation, useNavigate } from '@umijs/max';
import { Button } from 'antd';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Money } from '@/components/Money';
import { withWords } from '@/components/withWords';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import accountEn from '@/locales/en-US/account';
import checkoutEn from '@/locales/en-US/checkout';
import accountZh from '@/locales/zh-CN/account';
import checkoutZh from '@/locales/zh-CN/checkout';
import { pickProducts } from '@/services/product';
import { checkoutPath } from '@/utils/orderPaths';
import { SkuPicker } from '../../checkout/components/SkuPicker';
import styles from './TopUp.less';

/** DCU packs, and the way to pay for the chosen one. */
function TopUp() {
  const text = useText();
  const place = useRef<HTMLDivElement>(null);
  const [choice, setChoice] = useState<{ skuId: string; quantity: number } | null>(null);
  const navigate = useNavigate();
  const { data, error } = useCached('products', pickProducts);
  const sku = data?.skus.find(({ skuId }) => skuId === choice?.skuId);
  useComeHere(place, data !== undefined || error !== undefined);
  return (
    <div ref={place} tabIndex={-1} className={styles.topUp}>
      <SkuPicker title={text('account.topUp')} purchase={choice} onChange={setChoice} />
      {choice && sku && (
        <p className={styles.foot}>
          <span>
            {text('account.topUp.comes')} <Money fen={sku.priceFen * choice.quantity} />
          </span>
          <Button type="primary" onClick={() => navigate(`${checkoutPath}?sku=${choice.skuId}&quantity=${choice.quantity}`)}>
            {text('account.topUp.go')}
          </Button>
        </p>
      )}
    </div>
  );
}

/** `?topUp=1` leads here: once for each time it was followed, as soon as what stands here has its height. */
function useComeHere(place: RefObject<HTMLElement>, isThere: boolean) {
  const { search, key } = useLocation();
  const cameBy = useRef<string>();
  useEffect(() => {
    if (!isThere || cameBy.current === key || !new URLSearchParams(search).has('topUp')) return;
    cameBy.current = key;
    place.current?.scrollIntoView({ block: 'start' });
    place.current?.focus({ preventScroll: true });
  }, [place, isThere, search, key]);
}

export default withWords(TopUp, {
  'en-US': { ...accountEn, ...checkoutEn },
  'zh-CN': { ...accountZh, ...checkoutZh },
});
