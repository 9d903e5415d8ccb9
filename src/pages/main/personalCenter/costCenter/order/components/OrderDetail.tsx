import type { ReactNode } from 'react';
import { CopyableText } from '@/components/CopyableText';
import { CountDown } from '@/components/CountDown';
import { Money } from '@/components/Money';
import { BringsList } from '@/components/Purchase/BringsList';
import { OrderState } from '@/components/Purchase/OrderState';
import { PriceLines } from '@/components/Purchase/PriceLines';
import { useText } from '@/hooks/useText';
import type { Order } from '@/services/order';
import { formatNumber } from '@/utils/formatNumber';
import { formatDateTime, formatInstant } from '@/utils/formatTime';
import type { Word } from '@/utils/words';
import styles from './detail.less';
import { eventWord, titleOf } from './orderWords';

/** What was ordered, what it cost and brought, every payment and refund, and what happened when. */
export function OrderDetail({ order, onOver }: { order: Order; onOver: () => void }) {
  const text = useText();
  const isUnpaid = order.fulfilledAt === null;
  return (
    <>
      <div className={styles.head}>
        <h2>
          <bdi>{titleOf(order, text)}</bdi>
        </h2>
        <p>
          <OrderState state={order.state} />
          {order.state === 'PENDING' && <CountDown until={order.payUntil} onEnd={onOver} />}
        </p>
        <CopyableText words={order.orderNo} name={text('purchase.orderNo')} />
        {order.cancelReason && (
          <p className={styles.muted}>
            {text('order.detail.reason')}: <bdi>{order.cancelReason}</bdi>
          </p>
        )}
      </div>
      <Section word="purchase.brings">
        <BringsList brings={order.brings} />
      </Section>
      <Section word="order.detail.price">
        <PriceLines
          amounts={order}
          totalAs={isUnpaid ? 'purchase.payable' : 'purchase.paid'}
          couponTitle={order.coupon?.title}
          pointsUsed={order.pointsUsed}
          refundedFen={order.refundedFen}
        />
        {order.pointsEarned > 0 && (
          <p className={styles.earned}>
            <span>{text('order.detail.earned')}</span> <span>{formatNumber(order.pointsEarned)}</span>
          </p>
        )}
      </Section>
      <Payments order={order} />
      <Refunds order={order} />
      <Section word="order.detail.timeline">
        <ol className={styles.timeline}>
          {order.timeline.map((event) => (
            <li key={`${event.at}${event.to}`}>
              <span>{text(eventWord(event))}</span>
              <At at={event.at} />
            </li>
          ))}
        </ol>
      </Section>
    </>
  );
}

function Section({ word, children }: { word: Word; children: ReactNode }) {
  const text = useText();
  return (
    <section className={styles.section}>
      <h3>{text(word)}</h3>
      {children}
    </section>
  );
}

function At({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatDateTime(at)}
    </time>
  );
}

function Payments({ order: { payments } }: { order: Order }) {
  const text = useText();
  if (payments.length === 0) return null;
  return (
    <Section word="order.detail.payments">
      <ul className={styles.lines}>
        {payments.map(({ paymentId, state, amountFen, createdAt }) => (
          <li key={paymentId}>
            <span>{text(`order.payment.${state}`)}</span>
            <Money fen={amountFen} />
            <At at={createdAt} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Refunds({ order: { refunds } }: { order: Order }) {
  const text = useText();
  if (refunds.length === 0) return null;
  return (
    <Section word="order.detail.refunds">
      <ul className={styles.lines}>
        {refunds.map(({ refundId, state, reason, amountFen, withdrawnDcu, createdAt, endedAt }) => (
          <li key={refundId}>
            <span>
              {text(`order.refund.reason.${reason}`)}
              <small>
                {[
                  text(`order.refund.${state}`),
                  withdrawnDcu > 0 && text('order.refund.withdrawn', { dcu: formatNumber(withdrawnDcu) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
            <Money fen={amountFen} />
            <At at={endedAt ?? createdAt} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
