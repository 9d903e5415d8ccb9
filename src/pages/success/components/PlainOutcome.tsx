import { Outcome, type Tale, type Way } from './Outcome';

const toLab: Way = { word: 'success.toLab', path: '/main/myLab/workshop' };
const toAccount: Way = { word: 'success.toAccount', path: '/main/personalCenter/costCenter/account' };
const toSettings: Way = { word: 'success.toSettings', path: '/main/personalCenter/accountSettings' };

const waysOf: Readonly<Partial<Record<Tale, readonly Way[]>>> = {
  registered: [toLab, toAccount],
  realName: [toLab, toSettings],
  student: [toLab, toSettings],
};
const known = ['registered', 'realName', 'student'] as const;

/** What went well beside orders; an address that names nothing we know is met with a friendly word. */
export function PlainOutcome({ what, next }: { what: string | null; next: string | null }) {
  const tale = known.find((word) => word === what) ?? 'unknown';
  return <Outcome tale={tale} ways={waysOf[tale] ?? [toLab, toAccount]} next={next} />;
}
