import { Alert, Button } from 'antd';
import OptionCard from '@/components/OptionCard';
import optionStyles from '@/components/OptionCard/index.less';
import { QrCode } from '@/components/QrCode';
import { useText } from '@/hooks/useText';
import type { Order, Payment, Repayable } from '@/services/order';
import { isSessionLost } from '@/utils/callError';
import { formatMoney } from '@/utils/formatMoney';
import styles from './choose.less';
import pay from './pay.less';
import { useAttempt } from './useAttempt';

interface AttemptProps {
  repayable: Repayable;
  order: Order | undefined;
  onMoved: () => void;
}

/** The way to pay, and the attempt by it: being opened, waiting with QR code and cashier, in doubt, failed, closed. */
export function Attempt({ repayable, order, onMoved }: AttemptProps) {
  const text = useText();
  const attempt = useAttempt(repayable, order, onMoved);
  const { methods, payableFen } = repayable;
  if (methods.length === 0) return <Alert type="warning" showIcon message={text('checkout.pay.noMethods')} />;
  const isSandbox = methods.find(({ method }) => method === attempt.method)?.isSandbox === true;
  const { open, ended, error } = attempt;
  return (
    <div className={pay.attempt}>
      {methods.length > 1 && (
        <div className={optionStyles.options} role="radiogroup" aria-label={text('checkout.pay.how')}>
          {methods.map(({ method, name }) => (
            <OptionCard
              key={method}
              name="method"
              isChosen={method === attempt.method}
              title={<bdi>{name}</bdi>}
              onChoose={() => attempt.choose(method)}
            />
          ))}
        </div>
      )}
      {isSandbox && <p className={styles.hint}>{text('checkout.pay.sandbox')}</p>}
      {error && !isSessionLost(error) && <Alert type="error" showIcon message={error.message} />}
      {ended && !error && <HowItEnded payment={ended} />}
      {attempt.isStarting && <p role="status">{text('checkout.pay.preparing')}</p>}
      {open && <Open payment={open} />}
      {!open && !attempt.isStarting && (
        <Button type="primary" size="large" data-track="pay-order" onClick={attempt.start}>
          {ended || error ? text('checkout.pay.again') : text('checkout.pay.start', { amount: formatMoney(payableFen) })}
        </Button>
      )}
    </div>
  );
}

function HowItEnded({ payment: { state } }: { payment: Payment }) {
  const text = useText();
  const how = state === 'FAILED' ? 'failed' : 'closed';
  return (
    <Alert type="warning" showIcon message={text(`checkout.pay.${how}.title`)} description={text(`checkout.pay.${how}.text`)} />
  );
}

/** An address of the provider's cashier; nothing but a web page is ever opened. */
function cashierOf({ redirectUrl }: Payment): string | undefined {
  const { origin } = window.location;
  const url = redirectUrl !== '' && URL.canParse(redirectUrl, origin) ? new URL(redirectUrl, origin) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function Open({ payment }: { payment: Payment }) {
  const text = useText();
  const amount = formatMoney(payment.amountFen);
  const cashier = cashierOf(payment);
  if (payment.state === 'UNKNOWN') return <Alert type="info" showIcon message={text('checkout.pay.unknown')} />;
  if (payment.state !== 'SUBMITTED') return <p role="status">{text('checkout.pay.preparing')}</p>;
  return (
    <div className={pay.open}>
      {payment.qrText !== '' && (
        <figure>
          <QrCode code={payment.qrText} label={text('checkout.pay.scan.label', { amount })} />
          <figcaption>{text('checkout.pay.scan')}</figcaption>
        </figure>
      )}
      <div className={pay.beside}>
        <p className={pay.amount}>{amount}</p>
        <p role="status" className={pay.waiting}>
          {text('checkout.pay.waiting')}
        </p>
        {cashier && (
          <>
            <Button type="primary" size="large" data-track="open-cashier" href={cashier} target="_blank" rel="noopener">
              {text('checkout.pay.open')}
            </Button>
            <p className={styles.hint}>{text('checkout.pay.open.hint')}</p>
          </>
        )}
      </div>
    </div>
  );
}
