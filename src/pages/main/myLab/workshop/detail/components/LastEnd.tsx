import { Link } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Button, message } from 'antd';
import { type Lab, labPath } from '@/components/LabCard/labFacts';
import { RunAdvice } from '@/components/RunAdvice';
import { exitWords, todoWords } from '@/components/RunEnd/endWords';
import { useText } from '@/hooks/useText';
import { updateWorkshop } from '@/services/workshop';
import { formatNumber } from '@/utils/formatNumber';
import { formatDuration } from '@/utils/formatTime';
import { topUpPath } from '@/utils/orderPaths';
import { canDo } from '../../../../../../../gateway/contract/workshopStates';
import styles from '../index.less';
import { eventWords } from './eventWords';

interface LastEndProps {
  lab: Lab;
  onAnswer: (lab: Lab) => void;
}

function Advice({ lab, onAnswer }: LastEndProps) {
  const text = useText();
  const advice = lab.lastSession?.advice;
  const apply = useRequest((specId: string) => updateWorkshop({ workshopId: lab.workshopId, specId }), {
    manual: true,
    onSuccess: (answer) => {
      message.success(text('run.advice.applied'));
      onAnswer(answer);
    },
    // A refusal that would stand beside a field has none here.
    onError: (error) => void message.error(error.message),
  });
  if (!advice || !canDo(lab.state, 'changeSpec')) return null;
  const button = (
    <Button loading={apply.loading} onClick={() => apply.run(advice.specId)}>
      {text('run.advice.apply')}
    </Button>
  );
  return <RunAdvice advice={advice} action={button} />;
}

/** How the last run ended, why, what to do about it, and what its figures advise. */
export default function LastEnd({ lab, onAnswer }: LastEndProps) {
  const text = useText();
  const last = lab.lastSession;
  if (!last || lab.session) return null;
  const exit = exitWords(last, text);
  const todo = todoWords(last, text);
  const hasFilesWay = last.stopReason === 'DISK_FULL' || last.stopReason === 'BALANCE_EXHAUSTED';
  return (
    <div className={styles.lastEnd}>
      <p className={styles.note}>
        {text('workshop.detail.lastEnd', {
          duration: formatDuration(last.runningMs),
          cost: formatNumber(last.costDcu),
          reason: eventWords({ reason: last.stopReason, to: lab.state }, text),
        })}
      </p>
      {exit && <p>{exit}</p>}
      {todo && <p>{todo}</p>}
      {hasFilesWay && (
        <p>
          <Link to={labPath(lab.workshopId, 'files')}>{text('run.toFiles')}</Link>
          {last.stopReason === 'BALANCE_EXHAUSTED' && (
            <>
              {' · '}
              <Link to={topUpPath}>{text('run.toTopUp')}</Link>
            </>
          )}
        </p>
      )}
      <Advice lab={lab} onAnswer={onAnswer} />
    </div>
  );
}
