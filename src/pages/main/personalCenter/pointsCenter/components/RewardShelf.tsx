import { Button } from 'antd';
import { useState } from 'react';
import { useText } from '@/hooks/useText';
import type { PointsOverview, Reward } from '@/services/points';
import cards from '../index.less';
import RewardDialog from './RewardDialog';
import styles from './RewardShelf.less';

interface RewardShelfProps {
  overview: PointsOverview;
  onMoved: () => void;
}

/** What points are exchanged for. */
export function RewardShelf({ overview: { points, heldPoints, rewards }, onMoved }: RewardShelfProps) {
  const text = useText();
  const [askedId, setAskedId] = useState<string>();
  const free = points - heldPoints;
  const asked = rewards.find(({ rewardId }) => rewardId === askedId);
  return (
    <section className={cards.card} aria-labelledby="points-rewards">
      <h2 id="points-rewards">{text('points.rewards')}</h2>
      {rewards.length === 0 ? <p className={styles.empty}>{text('points.rewards.empty')}</p> : null}
      <ul className={styles.rewards}>
        {rewards.map((reward) => (
          <li key={reward.rewardId}>
            <h3>
              <bdi>{reward.title}</bdi>
            </h3>
            <p>{reward.description}</p>
            <Take reward={reward} free={free} onAsk={() => setAskedId(reward.rewardId)} />
          </li>
        ))}
      </ul>
      {asked ? (
        <RewardDialog key={asked.rewardId} reward={asked} free={free} onMoved={onMoved} onClose={() => setAskedId(undefined)} />
      ) : null}
    </section>
  );
}

interface TakeProps {
  reward: Reward;
  free: number;
  onAsk: () => void;
}

/** The way to take it, or why it cannot be taken. */
function Take({ reward: { title, points, left }, free, onAsk }: TakeProps) {
  const text = useText();
  if (left === 0) return <p className={styles.why}>{text('points.reward.gone')}</p>;
  if (points > free) {
    return (
      <p className={styles.why}>
        {text('points.unit', { count: points })} · {text('points.reward.missing', { count: points - free })}
      </p>
    );
  }
  return (
    <div className={styles.take}>
      <Button aria-label={text('points.reward.redeem.name', { title, count: points })} onClick={onAsk}>
        {text('points.reward.redeem', { count: points })}
      </Button>
      {left === null ? null : <small>{text('points.reward.left', { count: left })}</small>}
    </div>
  );
}
