import { DesktopOutlined, MobileOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useText } from '@/hooks/useText';
import { type LoginSession, revokeLoginSession } from '@/services/user';
import { isCallError, isSessionLost } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { formatDateTime, formatInstant } from '@/utils/formatTime';
import styles from './Devices.less';

const phones: ReadonlySet<string> = new Set(['iOS', 'iPadOS', 'Android', 'HarmonyOS']);

interface DeviceRowProps {
  device: LoginSession;
  onSignedOut: () => Promise<void>;
}

/** One browser: what it is, where and since when it is signed in, and the way to sign it out. */
export function DeviceRow({ device, onSignedOut }: DeviceRowProps) {
  const text = useText();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const { browser, os, isCurrent } = device;
  const name = browser && os ? text('settings.device.on', { browser, os }) : browser || os || text('settings.device.unknown');

  const handleSignOut = async () => {
    setIsBusy(true);
    setFailure('');
    try {
      await revokeLoginSession({ loginSessionId: device.loginSessionId });
    } catch (error) {
      if (!isCallError(error)) throw error;
      // Somebody else was faster: it is signed out all the same.
      if (error.code !== errorCodes.NOT_FOUND && !isSessionLost(error)) setFailure(error.msg);
    }
    await onSignedOut();
    setIsBusy(false);
  };
  return (
    <li>
      <span className={styles.icon} aria-hidden="true">
        {phones.has(os) ? <MobileOutlined /> : <DesktopOutlined />}
      </span>
      <div className={styles.facts}>
        <p className={styles.name}>
          <bdi>{name}</bdi>
          {isCurrent ? <span className={styles.current}>{text('settings.device.current')}</span> : null}
        </p>
        <p>
          <bdi>{device.ip}</bdi>
          <time dateTime={device.createdAt} title={formatInstant(device.createdAt)}>
            {text('settings.device.since', { date: formatDateTime(device.createdAt) })}
          </time>
          {isCurrent ? null : (
            <time dateTime={device.lastSeenAt} title={formatInstant(device.lastSeenAt)}>
              {text('settings.device.seen', { date: formatDateTime(device.lastSeenAt) })}
            </time>
          )}
        </p>
        {failure ? (
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
        ) : null}
      </div>
      {isCurrent ? null : (
        <Button onClick={handleSignOut} loading={isBusy} aria-label={text('settings.device.signOut.name', { name })}>
          {text('frame.signOut')}
        </Button>
      )}
    </li>
  );
}
