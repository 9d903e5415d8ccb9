import { microFromDcu, shownDcu } from '../dcu';
import { type Correction, type CorrectionService, NotFree } from '../domains/account/correction.service';
import { CommandRefused, defineCommand, type OperatorContext } from './command';
import { memberByName } from './memberByName';

const whose = {
  member: { kind: 'text', meaning: 'username', max: 32 },
  ref: { kind: 'text', meaning: 'your reference: a second time it changes nothing more', max: 64 },
  reason: { kind: 'text', meaning: 'why, for the audit; the member reads it beside the change', max: 200 },
} as const;

export const dcuGrant = defineCommand({
  name: 'dcu grant',
  summary: 'Gives a member DCU, once for a reference.',
  options: {
    ...whose,
    dcu: { kind: 'text', meaning: 'how many, up to six decimals', max: 20 },
    days: { kind: 'count', meaning: 'how long they last; 0: for ever', default: 365, min: 0, max: 3650 },
  },
  run: (context, { dcu, days, ...options }) => {
    const micro = readDcu(dcu);
    if (micro <= 0n) throw new CommandRefused('dcu grant gives DCU; dcu adjust takes them.');
    return correct(context, options, {
      wanted: micro,
      unit: dcuWords,
      make: (corrections, ask) => corrections.grantDcu({ ...ask, micro, days: days === 0 ? null : days }),
    });
  },
});

export const dcuAdjust = defineCommand({
  name: 'dcu adjust',
  summary: 'Corrects a balance: adds DCU that never end, or takes what running labs are not promised; once for a reference.',
  options: { ...whose, dcu: { kind: 'text', meaning: 'how many more, or with a minus how many less', max: 20 } },
  run: (context, { dcu, ...options }) => {
    const micro = readDcu(dcu);
    return correct(context, options, {
      wanted: micro,
      unit: dcuWords,
      make: (corrections, ask) => corrections.adjustDcu({ ...ask, micro }),
    });
  },
});

export const pointsAdjust = defineCommand({
  name: 'points adjust',
  summary: 'Adds points or takes those that no order has set aside, once for a reference.',
  options: { ...whose, points: { kind: 'text', meaning: 'how many more, or with a minus how many less', max: 10 } },
  run: (context, { points: text, ...options }) => {
    if (!/^[+-]?[1-9]\d{0,8}$/.test(text)) throw new CommandRefused(`${text} is no whole number of points other than 0.`);
    const points = BigInt(text);
    return correct(context, options, {
      wanted: points,
      unit: (amount) => `${amount} points`,
      make: (corrections, ask) => corrections.adjustPoints({ ...ask, points }),
    });
  },
});

const dcuWords = (micro: bigint) => `${shownDcu(micro)} DCU`;

/** A signed amount in micro-DCU; nothing is no amount. */
function readDcu(text: string): bigint {
  const [, sign, amount = ''] = /^([+-]?)(\d{1,9}(?:\.\d{1,6})?)$/.exec(text) ?? [];
  const micro = amount === '' ? 0n : microFromDcu(amount);
  if (micro === 0n) throw new CommandRefused(`${text} is no amount of DCU other than 0 with up to six decimals.`);
  return sign === '-' ? -micro : micro;
}

interface Work {
  wanted: bigint;
  unit: (amount: bigint) => string;
  make(
    corrections: CorrectionService,
    ask: { memberId: string; ref: string; reason: string; operator: string },
  ): Promise<Correction>;
}

/** Does it and says in one line what came of it. */
async function correct(
  { db, services, operator, say }: OperatorContext,
  { member, ref, reason }: { member: string; ref: string; reason: string },
  { wanted, unit, make }: Work,
): Promise<void> {
  const { corrections } = await services();
  const memberId = await memberByName(db, member);
  const { isNew, amount } = await make(corrections, { memberId, ref, reason, operator }).catch((error) => {
    if (!(error instanceof NotFree)) throw error;
    throw new CommandRefused(`${member} has ${unit(error.free)} free; nothing was changed.`, { cause: error });
  });
  const what = `${amount > 0n ? '+' : ''}${unit(amount)}`;
  if (amount !== wanted) throw new CommandRefused(`Under ${ref}, ${member} was given ${what} before.`);
  say(isNew ? `${member}: ${what}.` : `Nothing was done: under ${ref}, ${member} was given ${what} before.`);
}
