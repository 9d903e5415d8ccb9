import { Link } from '@umijs/max';
import { Button } from 'antd';
import { useText } from '@/hooks/useText';
import lifeEn from '@/locales/en-US/workshopLife';
import lifeZh from '@/locales/zh-CN/workshopLife';
import { formatMoment } from '@/utils/formatTime';
import { membershipPath, topUpPath } from '@/utils/orderPaths';
import { CountDown } from '../CountDown';
import { withWords } from '../withWords';
import styles from './index.less';
import { actionWord, type LabAction } from './labActions';
import type { Lab } from './labFacts';

interface LabWarningProps {
  lab: Lab;
  pendingAction?: LabAction | undefined;
  onAction: (action: LabAction) => void;
}

/** What moves the stop away, in one press where that is possible. */
function Way({ lab, pendingAction, onAction }: LabWarningProps) {
  const text = useText();
  const { stopsCause, extendableHours = 0 } = lab.session ?? {};
  if (stopsCause === 'BALANCE') return <Link to={topUpPath}>{text('life.way.topUp')}</Link>;
  const action = stopsCause === 'IDLE' ? 'keep' : 'extend';
  if (action === 'extend' && extendableHours === 0) return <Link to={membershipPath}>{text('life.way.packages')}</Link>;
  return (
    <Button size="small" data-track={`${action}-workshop`} loading={pendingAction === action} onClick={() => onAction(action)}>
      {text(actionWord(action, lab.state))}
    </Button>
  );
}

/** Minutes before a lab stops by itself: when, why, and what can be done about it. */
function LabWarning(props: LabWarningProps) {
  const text = useText();
  const { session } = props.lab;
  if (!session?.stopsAt || !session.stopsCause) return null;
  const since = session.idleSince ? formatMoment(session.idleSince) : '';
  return (
    <div className={styles.warning}>
      <p>
        <b>
          {text('life.warning.in')} <CountDown until={session.stopsAt} />
        </b>
        <span role="status">{text(`life.warning.${session.stopsCause}`, { since })}</span>
      </p>
      <Way {...props} />
    </div>
  );
}

export default withWords(LabWarning, { 'en-US': lifeEn, 'zh-CN': lifeZh });
