import { EllipsisOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { useText } from '@/hooks/useText';
import styles from './index.less';
import { actionWord, type LabAction, menuActionsOf, primaryActionOf } from './labActions';
import type { Lab } from './labFacts';

export interface LabButtonsProps {
  lab: Lab;
  /** The action whose answer is still awaited. */
  pendingAction?: LabAction | undefined;
  onAction: (action: LabAction) => void;
  /** The page already shows what the primary button would open. */
  isTerminalOpen?: boolean;
  size?: 'small' | 'middle';
}

/** One button for what the state asks for, a menu for everything else it allows. */
export default function LabButtons({ lab, pendingAction, onAction, isTerminalOpen = false, size = 'middle' }: LabButtonsProps) {
  const text = useText();
  const best = primaryActionOf(lab.state);
  const primary = isTerminalOpen && best === 'openTerminal' ? 'stop' : best;
  const others = menuActionsOf(lab.state).filter((action) => action !== primary);
  const isMoving = lab.state === 'STOPPING';
  return (
    <div className={styles.buttons}>
      {primary && (
        <Button
          className={primary === 'stop' ? undefined : styles.primary}
          size={size}
          loading={pendingAction === primary}
          onClick={() => onAction(primary)}
        >
          {text(actionWord(primary, lab.state))}
        </Button>
      )}
      {isMoving && (
        <Button size={size} loading>
          {text('workshop.action.busy.STOPPING')}
        </Button>
      )}
      {others.length > 0 && (
        <Dropdown
          trigger={['click']}
          placement="bottomRight"
          menu={{
            items: others.map((action) => ({
              key: action,
              label: text(actionWord(action, lab.state)),
              danger: action === 'delete',
              disabled: pendingAction !== undefined,
            })),
            onClick: ({ key, domEvent }) => {
              domEvent.stopPropagation();
              onAction(key as LabAction);
            },
          }}
        >
          <Button
            type="text"
            size={size}
            icon={<EllipsisOutlined aria-hidden />}
            loading={pendingAction !== undefined && pendingAction !== primary}
            aria-label={text('workshop.card.more', { name: lab.name })}
          />
        </Dropdown>
      )}
    </div>
  );
}
