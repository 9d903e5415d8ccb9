import { useModel } from '@umijs/max';
import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { ErrorState } from '@/components/ErrorState';
import { StaleNote } from '@/components/StaleNote';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import { loginSessions, revokeLoginSession } from '@/services/user';
import { DeviceRow } from './DeviceRow';
import styles from './Devices.less';

/** The browsers that are signed in, each with a way to sign it out. */
export function Devices() {
  const text = useText();
  const { userId } = useModel('session').currentUser;
  const { data, error, loading, refreshAsync } = useCached(`loginSessions:${userId}`, loginSessions);
  const [isAsking, setIsAsking] = useState(false);
  // A refresh that fails shows itself.
  const refresh = () =>
    refreshAsync().then(
      () => undefined,
      () => undefined,
    );
  const handleConfirm = async () => {
    await revokeLoginSession({ others: true });
    setIsAsking(false);
    await refresh();
  };

  if (!data) {
    if (error) return <ErrorState error={error} onRetry={refresh} isRetrying={loading} />;
    return <Skeleton active avatar={{ shape: 'square' }} title={false} paragraph={{ rows: 2 }} />;
  }
  const others = data.list.filter(({ isCurrent }) => !isCurrent);
  return (
    <>
      {error ? <StaleNote error={error} onRetry={refresh} isRetrying={loading} /> : null}
      <ul className={styles.devices} aria-label={text('settings.devices')}>
        {data.list.map((device) => (
          <DeviceRow key={device.loginSessionId} device={device} onSignedOut={refresh} />
        ))}
      </ul>
      {others.length === 0 ? (
        <p className={styles.alone}>{text('settings.devices.alone')}</p>
      ) : (
        <Button danger className={styles.all} onClick={() => setIsAsking(true)}>
          {text('settings.devices.others')}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={text('settings.devices.ask')}
        confirmWord={text('settings.devices.others')}
        keepWord={text('settings.devices.keep')}
        onConfirm={handleConfirm}
        onCancel={() => setIsAsking(false)}
      >
        <p>{text('settings.devices.ask.words', { count: others.length })}</p>
      </ConfirmDialog>
    </>
  );
}
