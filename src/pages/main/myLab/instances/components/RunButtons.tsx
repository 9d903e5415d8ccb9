import { EllipsisOutlined } from '@ant-design/icons';
import { Link } from '@umijs/max';
import { Button, Dropdown } from 'antd';
import { useText } from '@/hooks/useText';
import type { LabRun } from '@/services/labSession';
import { billPath } from '@/utils/orderPaths';
import type { RunAction } from '../index';
import styles from './instances.less';

interface RunButtonsProps {
  run: LabRun;
  onAction: (action: RunAction) => void;
}

/** What can be done with a run: its output, its bill, a workshop like it, and taking it out of the list. */
export function RunButtons({ run, onAction }: RunButtonsProps) {
  const text = useText();
  const isOpen = run.endedAt === null;
  const bill = `${billPath}?workshopId=${run.workshopId}&session=${run.sessionId}`;
  const items = [
    { key: 'copy', label: text('instances.action.copy') },
    { key: 'bill', label: <Link to={bill}>{text('instances.action.bill')}</Link> },
    { key: 'delete', label: text('instances.action.delete'), danger: true, disabled: isOpen },
  ];
  return (
    <div className={styles.buttons}>
      <Button
        size="small"
        disabled={!isOpen && !run.hasOutput}
        title={isOpen || run.hasOutput ? undefined : text('run.output.nothing')}
        aria-label={text('instances.output.of', { name: run.workshopName })}
        onClick={() => onAction('output')}
      >
        {text('instances.action.output')}
      </Button>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{
          items,
          onClick: ({ key }) => {
            if (key !== 'bill') onAction(key as RunAction);
          },
        }}
      >
        <Button
          type="text"
          size="small"
          icon={<EllipsisOutlined aria-hidden />}
          aria-label={text('workshop.card.more', { name: run.workshopName })}
          aria-haspopup="menu"
        />
      </Dropdown>
    </div>
  );
}
