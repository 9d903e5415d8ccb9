import enUS from '@/locales/en-US/workshopEvents';
import type { WorkshopEvent } from '@/services/workshop';
import { formatNumber } from '@/utils/formatNumber';
import { formatDuration } from '@/utils/formatTime';
import type { Text, Word } from '@/utils/words';

type EventWord = keyof typeof enUS;

function known(word: string): EventWord | null {
  return word in enUS ? (word as EventWord) : null;
}

/** What happened, in a sentence; a word this page does not know yet still says where the workshop went. */
export function eventWords({ reason, to }: Pick<WorkshopEvent, 'reason' | 'to'>, text: Text): string {
  const word = known(`workshop.reason.${reason}`);
  return word ? text(word) : text('workshop.reason.unknown', { state: text(`workshop.state.${to}`) });
}

/** How a shell ended that was told to end says nothing. */
const toldToEnd: readonly string[] = ['MEMBER', 'FORCED', 'CANCELLED', 'IDLE', 'OPERATOR'];

const causes: readonly string[] = ['BALANCE', 'IDLE', 'MAX_HOURS', 'LEVEL_MAX_HOURS'];

/** What the ids of specs and images are called; an id that is no longer on offer stands for itself. */
export type OfferNames = Readonly<Record<string, string>>;

function valueWords(name: string, value: string | number, text: Text, names: OfferNames): string {
  if (name === 'cause') {
    if (causes.includes(String(value))) return text(`workshop.cause.${value}` as Word);
    const word = known(`workshop.reason.${value}`);
    return word ? text(word) : String(value);
  }
  if (typeof value !== 'number') return names[value] ?? value;
  return name.endsWith('Ms') ? formatDuration(value) : formatNumber(value);
}

/** The evidence of an event: what is known by name in words, anything else as it stands. */
export function evidenceWords(
  { reason, evidence }: Pick<WorkshopEvent, 'reason' | 'evidence'>,
  text: Text,
  names: OfferNames = {},
): string[] {
  const telling = Object.entries(evidence).filter(([name]) => name !== 'exitCode' || !toldToEnd.includes(reason));
  return telling.map(([name, value]) => {
    if (name === 'maxHours' && value === 0) return text('workshop.evidence.noMaxHours');
    if (name === 'idleMinutes' && value === 0) return text('workshop.evidence.noIdleMinutes');
    if (name === 'network') return text(value === 'egress' ? 'workshop.evidence.online' : 'workshop.evidence.offline');
    const words = valueWords(name, value, text, name.endsWith('Id') ? names : {});
    const word = known(`workshop.evidence.${name}`);
    return word ? text(word, { value: words }) : `${name} ${words}`;
  });
}
