import { Link, useModel } from '@umijs/max';
import { Skeleton } from 'antd';
import { ErrorState } from '@/components/ErrorState';
import { StaleNote } from '@/components/StaleNote';
import { MarkedWord } from '@/components/StateBadge';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import { getPointsTasks, type PointsTask } from '@/services/points';
import { formatDate } from '@/utils/formatTime';
import cards from '../index.less';
import styles from './TaskList.less';

/** What earns points once, and whether it is done. */
export function TaskList() {
  const text = useText();
  const { userId } = useModel('session').currentUser;
  const { data, error, loading, refresh } = useCached(`pointsTasks:${userId}`, getPointsTasks);
  return (
    <section className={cards.card} aria-labelledby="points-tasks">
      <h2 id="points-tasks">{text('points.tasks')}</h2>
      {data && error ? <StaleNote error={error} onRetry={refresh} isRetrying={loading} /> : null}
      {!data && error ? <ErrorState error={error} onRetry={refresh} isRetrying={loading} /> : null}
      {!data && !error ? <Skeleton active title={false} paragraph={{ rows: 3 }} /> : null}
      {data?.list.length === 0 ? <p className={styles.empty}>{text('points.tasks.empty')}</p> : null}
      <ul className={styles.tasks}>
        {data?.list.map((task) => (
          <li key={task.taskId}>
            <Task task={task} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Task({ task: { title, description, points, isDone, doneAt, path } }: { task: PointsTask }) {
  const text = useText();
  const done = doneAt ? text('points.task.doneAt', { date: formatDate(doneAt) }) : text('points.task.done');
  return (
    <>
      <div>
        <h3>
          <bdi>{title}</bdi> <small>{text('points.unit', { count: points })}</small>
        </h3>
        <p>{description}</p>
      </div>
      {isDone ? <MarkedWord mark={{ mark: 'check', tone: 'running', filled: 1 }} word={done} /> : null}
      {!isDone && path ? (
        <Link to={path} aria-label={text('points.task.go.name', { title })}>
          {text('points.task.go')}
        </Link>
      ) : null}
    </>
  );
}
