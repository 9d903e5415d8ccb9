import { addBillingDays, addBillingMonths, billingDayOf, startOfBillingDay, startOfBillingMonth } from '../billingCalendar';
import type { Catalogue } from '../catalog/catalogue';
import { readNow } from '../db/client';
import { dcuFromMicro, microFromDcu } from '../dcu';
import { selectUsageOf } from '../domains/account/pricePreview.repository';
import { type PricePreview, previewPrices } from '../domains/account/pricePreview.rules';
import { CommandRefused, defineCommand } from './command';
import { textTable } from './textTable';

const HOUR_MS = 3_600_000;
const SHOWN_MEMBERS = 10;

export const pricePreview = defineCommand({
  name: 'price preview',
  summary: 'Says what other prices of specs would have made of a month’s usage; changes nothing.',
  options: {
    prices: { kind: 'text', meaning: 'specs with their new DCU an hour: cpu-1=1.2,gpu-1=20', max: 2000 },
    month: { kind: 'text', meaning: 'a month of the billing time zone, as 2026-10; else the last whole one', max: 7, default: '' },
    json: { kind: 'switch', meaning: 'as JSON, for programs' },
  },
  async run({ db, services, say }, { prices, month, json }) {
    const { catalogue } = await services();
    const rates = readPrices(prices, catalogue);
    const span = spanOf(month, await readNow(db));
    const preview = previewPrices(await selectUsageOf(db, span), rates);
    if (json) say(JSON.stringify({ ...span, ...shown(preview) }, null, 2));
    else for (const line of linesOf(span, shown(preview))) say(line);
  },
});

/** `cpu-1=1.2,gpu-1=20` → rates in micro-DCU an hour. Throws `CommandRefused`. */
function readPrices(text: string, catalogue: Catalogue): Map<string, bigint> {
  const rates = new Map<string, bigint>();
  for (const part of text.split(',')) {
    const [, specId = '', price = ''] = /^\s*([\w-]+)=(\d{1,6}(?:\.\d{1,6})?)\s*$/.exec(part) ?? [];
    if (specId === '') throw new CommandRefused(`${part.trim() || 'Nothing'} is no price: it must read spec=DCU, as cpu-1=1.2.`);
    if (!catalogue.findSpec(specId)) throw new CommandRefused(`There is no spec ${specId}; catalog check lists them.`);
    rates.set(specId, microFromDcu(price));
  }
  return rates;
}

/** First and last day of the month. Throws `CommandRefused`. */
function spanOf(month: string, at: Date): { from: string; to: string } {
  const first = month === '' ? addBillingMonths(startOfBillingMonth(at), -1) : startOf(month);
  return { from: billingDayOf(first), to: addBillingDays(billingDayOf(addBillingMonths(first, 1)), -1) };
}

function startOf(month: string): Date {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new CommandRefused(`${month} is no month: it must read as 2026-10.`);
  return startOfBillingDay(`${month}-01`);
}

function shown({ specs, members, micro, newMicro }: PricePreview) {
  const cost = (part: { micro: bigint; newMicro: bigint }) => ({
    dcu: dcuFromMicro(part.micro),
    newDcu: dcuFromMicro(part.newMicro),
    change: percent(part.micro, part.newMicro),
  });
  return {
    ...cost({ micro, newMicro }),
    members: members.length,
    membersPayingMore: members.filter((member) => member.newMicro > member.micro).length,
    specs: specs.map((spec) => ({
      ...{ spec: spec.specId, hours: Math.round((Number(spec.ms) / HOUR_MS) * 100) / 100, members: spec.members, ...cost(spec) },
    })),
    most: members.slice(0, SHOWN_MEMBERS).map((member) => ({ member: member.username, ...cost(member) })),
  };
}

function percent(micro: bigint, newMicro: bigint): string {
  if (micro === 0n) return newMicro === 0n ? '0%' : 'from nothing';
  const thousandths = Number(((newMicro - micro) * 1000n) / micro);
  return `${thousandths > 0 ? '+' : ''}${thousandths / 10}%`;
}

function linesOf(span: { from: string; to: string }, preview: ReturnType<typeof shown>): string[] {
  const { dcu, newDcu, change, members, membersPayingMore, specs, most } = preview;
  if (members === 0) return [`Nothing was used from ${span.from} to ${span.to} (UTC+8).`];
  return [
    `${dcu} DCU were used from ${span.from} to ${span.to} (UTC+8); at these prices it would have been ${newDcu} DCU (${change}). ` +
      `${membersPayingMore} of ${members} members would have paid more.`,
    ...textTable('By spec', specs, ['spec', 'hours', 'members', 'dcu', 'newDcu', 'change']),
    ...textTable('Members whose cost rises most', most, ['member', 'dcu', 'newDcu', 'change']),
  ];
}
