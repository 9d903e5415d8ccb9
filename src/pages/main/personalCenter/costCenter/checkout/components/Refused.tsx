import { Link } from '@umijs/max';
import { Alert } from 'antd';
import { useText } from '@/hooks/useText';
import { isCallError, isSessionLost } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { ordersPath } from '@/utils/orderPaths';
import styles from './choose.less';

const settingsPath = '/main/personalCenter/accountSettings';

/** What is missing, and where it is had. */
export function RealNameNote() {
  const text = useText();
  return (
    <Alert
      type="warning"
      showIcon
      message={text('checkout.realName.title')}
      description={
        <span className={styles.refused}>
          {text('checkout.realName.text')} <Link to={settingsPath}>{text('checkout.realName.go')}</Link>
        </span>
      }
    />
  );
}

/** Why the order was not placed, in the gateway's words, with the way on. */
export function Refused({ error }: { error: Error }) {
  const text = useText();
  if (isSessionLost(error)) return null;
  if (isCallError(error, errorCodes.REAL_NAME_REQUIRED)) return <RealNameNote />;
  const isWaiting = isCallError(error, errorCodes.TOO_MANY_PENDING_ORDERS) || isCallError(error, errorCodes.SKU_ALREADY_PENDING);
  return (
    <Alert
      type="error"
      showIcon
      message={text('checkout.failed.title')}
      description={
        <span className={styles.refused}>
          {error.message} {isWaiting && <Link to={`${ordersPath}?state=PENDING`}>{text('checkout.failed.toPending')}</Link>}
        </span>
      }
    />
  );
}
