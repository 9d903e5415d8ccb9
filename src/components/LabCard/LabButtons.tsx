import { EllipsisOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useText } from '@/hooks/useText';
import styles from './index.less';
import { actionWord, type LabAction, menuActionsOf, primaryActionOf } from './labActions';
import type { Lab } from './labFacts';

/** Most visits open no menu. */
const LabMenu = lazy(() => import('./LabMenu'));

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
  const [isMenuAsked, setIsMenuAsked] = useState(false);
  const more = (
    <Button
      type="text"
      size={size}
      icon={<EllipsisOutlined aria-hidden />}
      loading={pendingAction !== undefined && pendingAction !== primary}
      aria-label={text('workshop.card.more', { name: lab.name })}
      aria-haspopup="menu"
      // The button is drawn anew when its menu has come, and keeps the focus it was pressed with.
      autoFocus={isMenuAsked}
      onClick={() => setIsMenuAsked(true)}
    />
  );
  return (
    <div className={styles.buttons}>
      {primary && (
        <Button
          data-track={`${primary}-workshop`}
          type={primary === 'stop' || primary === 'forceStop' ? 'default' : 'primary'}
          size={size}
          loading={pendingAction === primary}
          onClick={() => onAction(primary)}
        >
          {text(actionWord(primary, lab.state))}
        </Button>
      )}
      {others.length > 0 && (
        <Suspense fallback={more}>
          {isMenuAsked ? (
            <LabMenu lab={lab} actions={others} isBusy={pendingAction !== undefined} onAction={onAction}>
              {more}
            </LabMenu>
          ) : (
            more
          )}
        </Suspense>
      )}
    </div>
  );
}
