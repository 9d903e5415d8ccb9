import { useRequest } from 'ahooks';
import { Alert, Button, message, Skeleton } from 'antd';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import StateBadge from '@/components/StateBadge';
import { withWords } from '@/components/withWords';
import { useText } from '@/hooks/useText';
import lifeEn from '@/locales/en-US/workshopLife';
import lifeZh from '@/locales/zh-CN/workshopLife';
import { pageWorkshops, stopAllWorkshops } from '@/services/workshop';
import { limits } from '../../../../../../gateway/contract/limits';
import styles from '../index.less';

interface StopAllDialogProps {
  isOpen: boolean;
  onDone: () => void;
  onCancel: () => void;
}

/** Asks once before every lab is stopped, and says which those are, whatever the list shows. */
function StopAllDialog({ isOpen, onDone, onCancel }: StopAllDialogProps) {
  const text = useText();
  const { data, error, refresh } = useRequest(() => pageWorkshops({ current: 1, pageSize: limits.workshopsPerMember }), {
    ready: isOpen,
    refreshDeps: [isOpen],
    onError: () => undefined,
  });
  const open = data?.list.filter(({ session, state }) => session !== null && state !== 'STOPPING');
  const handleConfirm = async () => {
    const { stopping } = await stopAllWorkshops();
    message.success(text('life.stopAll.done', { count: stopping }));
    onDone();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text('life.stopAll.title')}
      confirmWord={text('life.stopAll.confirm', { count: open?.length ?? 0 })}
      keepWord={text('workshop.stop.keep')}
      isConfirmable={open !== undefined && open.length > 0}
      onConfirm={handleConfirm}
      onCancel={onCancel}
    >
      <p>{text('workshop.stop.text')}</p>
      {!open && !error && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
      {!open && error && (
        <Alert type="error" message={error.message} action={<Button onClick={refresh}>{text('error.retry')}</Button>} />
      )}
      {open?.length === 0 && <p>{text('life.stopAll.none')}</p>}
      {open && (
        <ul className={styles.stopped} aria-label={text('life.stopAll.which')}>
          {open.map(({ workshopId, name, state }) => (
            <li key={workshopId}>
              <bdi>{name}</bdi> <StateBadge state={state} />
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}

export default withWords(StopAllDialog, { 'en-US': lifeEn, 'zh-CN': lifeZh });
