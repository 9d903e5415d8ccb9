import { useModel } from '@umijs/max';
import { Alert, Button, Modal } from 'antd';
import { useRef, useState } from 'react';
import { RedeemedNote } from '@/components/RedeemDialog/RedeemedNote';
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey';
import { useText } from '@/hooks/useText';
import { type Reward, redeemReward } from '@/services/points';
import { isCallError, isSessionLost } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import styles from './RewardDialog.less';

interface RewardDialogProps {
  reward: Reward;
  /** Points that no order keeps. */
  free: number;
  onMoved: () => void;
  onClose: () => void;
}

/** Takes a reward: the price stands there once more before; after it the call tells what was given. */
function useTaking({ reward, onMoved }: Pick<RewardDialogProps, 'reward' | 'onMoved'>) {
  const text = useText();
  const once = useIdempotencyKey('redeemReward');
  const { refreshUser } = useModel('session');
  const { refresh: refreshBalance } = useModel('balance');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [given, setGiven] = useState<Awaited<ReturnType<typeof redeemReward>>>();
  const take = async () => {
    setIsBusy(true);
    setFailure('');
    const body = { rewardId: reward.rewardId, expectedPoints: reward.points };
    try {
      setGiven(await once(body, (key) => redeemReward(body, key)));
      if (reward.gives === 'dcu') refreshBalance();
      if (reward.gives === 'membership') refreshUser();
      onMoved();
    } catch (error) {
      if (!isCallError(error)) throw error;
      if (isSessionLost(error)) return;
      setFailure(error.code === errorCodes.PRICE_CHANGED ? text('points.reward.changed') : error.msg);
      // A refusal says that what the page shows is old: other points, another price, or gone.
      onMoved();
    } finally {
      setIsBusy(false);
    }
  };
  return { take, isBusy, failure, given };
}

export default function RewardDialog({ reward, free, onMoved, onClose }: RewardDialogProps) {
  const text = useText();
  const safe = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(true);
  const { take, isBusy, failure, given } = useTaking({ reward, onMoved });
  const close = () => isBusy || setIsOpen(false);
  return (
    <Modal
      centered
      width={440}
      open={isOpen}
      title={given ? text('points.rewards') : text('points.reward.ask', { title: reward.title })}
      footer={null}
      closable={{ 'aria-label': text('redeem.close') }}
      onCancel={close}
      afterOpenChange={(isShown) => (isShown ? safe.current?.focus() : onClose())}
    >
      {given ? (
        <RedeemedNote redeemed={{ ...given, gives: reward.gives }} />
      ) : (
        <>
          <p>{text('points.reward.ask.words', { count: reward.points, left: Math.max(0, free - reward.points) })}</p>
          {failure ? <Alert className={styles.failure} type="error" showIcon message={failure} /> : null}
          <div className={styles.buttons}>
            <Button ref={safe} disabled={isBusy} onClick={close}>
              {text('points.reward.keep')}
            </Button>
            <Button type="primary" loading={isBusy} onClick={take}>
              {text('points.reward.redeem', { count: reward.points })}
            </Button>
          </div>
        </>
      )}
    </Modal>
  );
}
