import { useUpdateEffect } from 'ahooks';
import type { Lab } from '@/components/LabCard/labFacts';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import StateBadge from '@/components/StateBadge';
import { useCached } from '@/hooks/useCached';
import { usePage } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import { getBasicImageTree } from '@/services/image';
import { getCpuSpecs, pageWorkshopEvents, type WorkshopEvent } from '@/services/workshop';
import { formatInstant, formatMoment } from '@/utils/formatTime';
import { variantsOf } from '../../components/imageTree';
import styles from '../index.less';
import { eventWords, evidenceWords, type OfferNames } from './eventWords';

const actors = {
  member: 'workshop.events.byMember',
  system: 'workshop.events.bySystem',
  operator: 'workshop.events.byOperator',
} as const;

function useOfferNames(): OfferNames {
  const { data: specs } = useCached('cpuSpec', getCpuSpecs);
  const { data: images } = useCached('basicTree', getBasicImageTree);
  const variants = images?.tree.flatMap(variantsOf) ?? [];
  return Object.fromEntries([
    ...(specs?.list ?? []).map(({ specId, name }) => [specId, name]),
    ...variants.map(({ imageId, name }) => [imageId, name]),
  ]);
}

function EventRow({ event, names }: { event: WorkshopEvent; names: OfferNames }) {
  const text = useText();
  const evidence = evidenceWords(event, text, names);
  return (
    <li className={styles.event}>
      <time dateTime={event.at} title={formatInstant(event.at)}>
        {formatMoment(event.at)}
      </time>
      <div>
        <p className={styles.what}>
          <span>{eventWords(event, text)}</span>
          {event.from !== event.to && <StateBadge state={event.to} />}
        </p>
        <p className={styles.why}>
          <span>{text(actors[event.actor])}</span>
          {evidence.map((words) => (
            <span key={words}>{words}</span>
          ))}
        </p>
      </div>
    </li>
  );
}

/** Everything that happened to the workshop, newest first, each with its why. */
export default function EventsTab({ lab }: { lab: Lab }) {
  const text = useText();
  const page = usePage<WorkshopEvent, Record<never, never>>({
    load: (query) => pageWorkshopEvents({ ...query, workshopId: lab.workshopId }),
    filters: {},
    urlPrefix: 'events.',
  });
  const { refresh } = page;
  const names = useOfferNames();
  // A change of state is an event: the timeline is asked for when one was seen, not on a clock of its own.
  useUpdateEffect(refresh, [lab.stateChangedAt]);

  return (
    <PagedList
      isFramed
      page={page}
      skeleton={<ListSkeleton shape="rows" />}
      empty={{ drawing: 'ledger', words: text('workshop.events.empty') }}
      totalWords={text('workshop.events.total', { total: page.total })}
    >
      {(events) => (
        <ol className={styles.timeline}>
          {events.map((event) => (
            <EventRow key={event.eventId} event={event} names={names} />
          ))}
        </ol>
      )}
    </PagedList>
  );
}
