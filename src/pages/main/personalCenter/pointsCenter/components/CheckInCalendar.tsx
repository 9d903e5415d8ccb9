import { CheckOutlined } from '@ant-design/icons';
import { useRequest } from 'ahooks';
import { Alert, Button } from 'antd';
import { Spoken } from '@/components/Spoken';
import { useText } from '@/hooks/useText';
import { type CheckIn, checkIn as sendCheckIn } from '@/services/points';
import { isCallError, isSessionLost } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import cards from '../index.less';
import styles from './CheckInCalendar.less';
import { monthName, weekdays, weeksOf } from './calendar';

interface CheckInCalendarProps {
  checkIn: CheckIn;
  isBudgetUsedUp: boolean;
  /** Points moved, or it turned out that they had: balance and changes are asked for anew. */
  onMoved: () => void;
}

/** This month's check-ins, the days in a row, and today's button, which says what it brings. */
export function CheckInCalendar({ checkIn, isBudgetUsedUp, onMoved }: CheckInCalendarProps) {
  const text = useText();
  const request = useRequest(sendCheckIn, {
    manual: true,
    onSuccess: onMoved,
    // Done in another window: what this one shows is old, and nothing is wrong.
    onError: (error) => isCallError(error, errorCodes.ALREADY_CHECKED_IN) && onMoved(),
  });
  const { error, loading, run } = request;
  // Yesterday's answer says nothing about today.
  const answer = request.data?.checkIn.today === checkIn.today ? request.data : undefined;
  const shown = answer?.checkIn ?? checkIn;
  const isDone = checkIn.isDoneToday || answer !== undefined;
  const failure = error && !isSessionLost(error) && !isCallError(error, errorCodes.ALREADY_CHECKED_IN) ? error : undefined;
  return (
    <section className={cards.card} aria-labelledby="check-in">
      <div className={styles.head}>
        <h2 id="check-in">{text('points.checkIn')}</h2>
        <span>{text('points.checkIn.streak', { days: shown.streakDays })}</span>
      </div>
      <Month checkIn={shown} />
      {failure ? <Alert type="error" showIcon message={failure.message} /> : null}
      {isDone ? (
        <p role="status" className={styles.done}>
          <b>{answer ? text('points.checkIn.got', { count: answer.points }) : text('points.checkIn.done')}</b>{' '}
          {text('points.checkIn.next', { count: shown.nextPoints })}
        </p>
      ) : (
        <>
          <Button block type="primary" loading={loading} data-track="check-in" onClick={run}>
            {text('points.checkIn.do', { count: shown.nextPoints })}
          </Button>
          {isBudgetUsedUp ? <p className={styles.full}>{text('points.budget.full')}</p> : null}
        </>
      )}
    </section>
  );
}

function Month({ checkIn: { today, days } }: { checkIn: CheckIn }) {
  const text = useText();
  const done = new Set(days);
  return (
    <table className={styles.month}>
      <caption>{text('points.checkIn.caption', { month: monthName(today) })}</caption>
      <thead>
        <tr>
          {weekdays().map(({ short, long }) => (
            <th key={long} scope="col" abbr={long}>
              {short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(today).map((week) => (
          <tr key={week.find((day) => day !== null)}>
            {week.map((day, index) => (
              <td
                key={day ?? `beside-${index}`}
                data-done={day !== null && done.has(day)}
                aria-current={day === today ? 'date' : undefined}
              >
                {day ? <Day day={day} isDone={done.has(day)} isToday={day === today} /> : null}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({ day, isDone, isToday }: { day: string; isDone: boolean; isToday: boolean }) {
  const text = useText();
  return (
    <time dateTime={day}>
      {Number(day.slice(8))}
      {isDone ? <CheckOutlined aria-hidden className={styles.check} /> : null}
      <Spoken>
        {isToday ? ` ${text('points.checkIn.today')}` : ''}
        {isDone ? ` ${text('points.checkIn.day')}` : ''}
      </Spoken>
    </time>
  );
}
