import { GiftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { useUrlQuery } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';

const RedeemDialog = lazy(() => import('.'));

/** Opens the dialog; `?redeem=1` opens it, too. */
export function RedeemButton({ onRedeemed }: { onRedeemed: () => void }) {
  const text = useText();
  const { search, writeQuery } = useUrlQuery();
  return (
    <>
      <Button icon={<GiftOutlined aria-hidden />} onClick={() => writeQuery({ redeem: 1 }, true)}>
        {text('redeem.open')}
      </Button>
      {new URLSearchParams(search).has('redeem') ? (
        <Suspense>
          <RedeemDialog onRedeemed={onRedeemed} onClose={() => writeQuery({ redeem: null })} />
        </Suspense>
      ) : null}
    </>
  );
}
