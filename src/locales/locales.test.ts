import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chineseSlips, holesOf, stringsOf } from '@/testing/wordSlips';
import routes, { type RouteConfig } from '../../config/routes';
import { billGroups, billSteps } from '../../gateway/contract/bill';
import { couponKinds, couponReasons, couponScopes, couponTabs } from '../../gateway/contract/coupon';
import { communitySorts, imageSavings, labImageStates } from '../../gateway/contract/imageStates';
import { Ceilings, itemSources, itemStates, packageEffects } from '../../gateway/contract/membership';
import {
  orderActions,
  orderStates,
  paymentStates,
  refundCauses,
  refundReasons,
  refundStates,
} from '../../gateway/contract/orderStates';
import { pointsChangeKinds } from '../../gateway/contract/points';
import { terminalByeReasons } from '../../gateway/contract/terminal';
import { eventReasons, stopCauses, stopReasons, workshopStates } from '../../gateway/contract/workshopStates';
import { changeKinds } from '../pages/main/personalCenter/costCenter/account/components/changeFilters';
import { billSpans } from '../pages/main/personalCenter/costCenter/bill/components/billSpan';
import everywhereEn from './en-US';
import pagesEn from './en-US/pages';
import everywhereZh from './zh-CN';
import pagesZh from './zh-CN/pages';

const enUS = { ...everywhereEn, ...pagesEn };
const zhCN = { ...everywhereZh, ...pagesZh };
const source = join(__dirname, '..');
const words: Readonly<Record<string, { en: string; zh: string }>> = Object.fromEntries(
  Object.entries(enUS).map(([key, en]) => [key, { en, zh: zhCN[key as keyof typeof zhCN] }]),
);

/** All code of the console that may show words: everything but the locales themselves and the tests. */
function code(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)\.umi|^locales\/|\.test\.tsx?$|^testing\//.test(path))
    .map((path) => readFileSync(join(source, path), 'utf8'));
}

function menuKeys(list: RouteConfig[], parents: string[] = []): string[] {
  return list.flatMap((route) => {
    const names = route.name ? [...parents, route.name] : parents;
    return [...(route.name ? [`menu.${names.join('.')}`] : []), ...menuKeys(route.routes ?? [], names)];
  });
}

const tales = ['paid', 'free', 'waiting', 'ended', 'refunded', 'registered', 'realName', 'student', 'unknown'];

/** Keys made at run time, each with all it is made of: what no value makes is not used. */
const built: Readonly<Record<string, readonly (string | number)[]>> = {
  'workshop.state.*': workshopStates,
  'workshop.cause.*': stopCauses,
  'workshop.reason.*': [...eventReasons, ...stopReasons],
  'workshop.action.*': ['start', 'stop', 'forceStop', 'extend', 'keep', 'openTerminal', 'change', 'saveImage', 'delete'],
  'life.warning.*': stopCauses,
  'instances.state.*': ['OPEN', 'ENDED'],
  'instances.sort.*': ['startedAt', 'costDcu', 'runningMs'],
  'instances.*': ['from', 'to'],
  'run.exit.*': [0, 1, 2, 126, 127, 130, 134, 137, 139, 143],
  'run.todo.*': stopReasons,
  'run.advice.*': ['SMALLER', 'LARGER'],
  'setup.env.problem.*': ['name', 'twice', 'many', 'long'],
  'workshop.sort.*': ['createdAt.descend', 'name.ascend', 'stateChangedAt.descend'],
  'files.upload.*': ['cancel', 'retry', 'replace', 'keepBoth', 'skip'],
  'workshop.tab.*': ['terminal', 'output', 'files', 'metrics', 'events', 'cost', 'settings'],
  'workshop.metrics.range.*': ['15m', '1h', '6h', '24h', '7d'],
  'workshop.terminal.*': ['copy', 'paste', 'selectAll', 'clear'],
  'workshop.terminal.status.*': ['connecting', 'connected', 'offline'],
  'workshop.terminal.key.*': ['escape', 'tab', 'interrupt', 'endOfInput', 'up', 'down', 'left', 'right'],
  'workshop.terminal.bye.*': [...terminalByeReasons, 'unknown'],
  'image.tab.*': ['basic', 'community', 'mine', 'registry'],
  'image.state.*': labImageStates,
  'image.sort.*': communitySorts,
  'image.save.*': imageSavings,
  'workshop.create.image.*': ['basic', 'mine', 'community'],
  'workshop.create.image.*.none': ['mine', 'community'],
  'change.kind.*': changeKinds,
  'lot.source.*': ['gift', 'membership', 'coupon', 'purchase', 'refund'],
  'frame.level.*': [0, 1, 2, 3],
  'coupon.tab.*': couponTabs,
  'coupon.value.*': couponKinds,
  'coupon.fits.*': couponScopes,
  'coupon.use.*': ['SKU', 'PACKAGE'],
  'coupon.empty.*': couponTabs,
  'membership.per.*': ['month', 'year'],
  'membership.effect.*': packageEffects,
  'membership.effect.hint.*': packageEffects,
  'membership.feature.*': [...Object.keys(Ceilings.properties), 'more', 'less'],
  'membership.items.state.*': itemStates,
  'membership.items.source.*': itemSources,
  'purchase.brings.*': packageEffects,
  'purchase.state.*': orderStates,
  'checkout.coupon.reason.*': couponReasons,
  'checkout.pay.*.title': ['failed', 'closed'],
  'checkout.pay.*.text': ['failed', 'closed'],
  'checkout.end.*.title': ['CANCELLED', 'EXPIRED'],
  'order.kind.*': ['SKU', 'PACKAGE'],
  'order.action.*': orderActions,
  'order.payment.*': paymentStates,
  'order.refund.*': refundStates,
  'order.refund.reason.*': refundReasons,
  'order.refundDialog.nothing.*': refundCauses,
  'order.event.*': ['EXPIRED', 'REFUNDED', 'PART_REFUNDED'],
  'success.*.title': tales,
  'success.*.words': tales,
  'bill.span.*': billSpans,
  'bill.step.*': billSteps,
  'bill.group.*': billGroups,
  'points.change.kind.*': pointsChangeKinds,
  'redeem.gave.*': ['coupon', 'dcu', 'membership'],
  'redeem.to.*': ['coupon', 'dcu', 'membership'],
  'strength.*': [0, 1, 2, 3, 4],
  // What the gateway's events may tell of: `eventWords` shows the words there are and leaves out the rest.
  'workshop.evidence.*': Object.keys(enUS).flatMap((key) => /^workshop\.evidence\.(\w+)$/.exec(key)?.[1] ?? []),
};

describe('the words', () => {
  const named = code().flatMap(stringsOf);
  const inMenu = new Set(menuKeys(routes));
  const whole = new Set(named.filter((one) => !one.includes('*')));
  const made = new Set(
    Object.entries(built).flatMap(([pattern, values]) => values.map((value) => pattern.replace('*', `${value}`))),
  );

  it('are there in both languages', () => {
    expect(Object.keys(zhCN).sort()).toEqual(Object.keys(enUS).sort());
  });

  it('stand in one place: those of every page, or those of one', () => {
    expect(Object.keys(pagesEn).filter((key) => key in everywhereEn)).toEqual([]);
  });

  it('are never empty', () => {
    const all = Object.entries(words).flatMap(([key, { en, zh }]) => [en, zh].map((message) => ({ key, message })));

    expect(all.filter(({ message }) => message.trim() === '')).toEqual([]);
  });

  it('have the same holes in both languages', () => {
    const differing = Object.entries(words).filter(([, { en, zh }]) => `${holesOf(en)}` !== `${holesOf(zh)}`);

    expect(differing).toEqual([]);
  });

  it('are all used, in full or built', () => {
    const isUsed = (key: string) => inMenu.has(key) || whole.has(key) || made.has(key);

    expect(Object.keys(words).filter((key) => !isUsed(key))).toEqual([]);
  });

  it('are built only where it is said here what of', () => {
    const prefixes = new Set(Object.keys(words).map((key) => key.split('.')[0]));
    const isWord = (pattern: string) => /^[a-z]\w*\.[\w.*]+$/i.test(pattern) && prefixes.has(pattern.split('.')[0] ?? '');
    const unknown = named.filter((one) => one.includes('*') && isWord(one) && !(one in built));
    const idle = Object.keys(built).filter((pattern) => !named.includes(pattern));

    expect({ unknown, idle }).toEqual({ unknown: [], idle: [] });
  });
});

describe('the Chinese words', () => {
  it.each(chineseSlips)('hold nowhere %s', (_what, slip) => {
    // The arms of a plural are words, their names are not; what switches the language is in the other one.
    const plain = Object.entries(words).map(([key, { zh }]) => ({
      key,
      zh: zh.replace(/\{\w+, plural,|\b(?:other|one) \{|=0 \{/g, ''),
    }));

    expect(plain.filter(({ zh }) => slip.test(zh))).toEqual([]);
  });
});

describe('the English words', () => {
  it('hold no Chinese but the name of that language', () => {
    const foreign = Object.entries(words).filter(
      ([key, { en }]) => /\p{Script=Han}/u.test(en) && !key.startsWith('common.otherLanguage'),
    );

    expect(foreign).toEqual([]);
  });

  it.each([
    ['three dots for an ellipsis', /\.\.\./],
    ['two spaces', / {2}/],
    ['straight quotes', /"|\w'\w/],
  ])('hold nowhere %s', (_what, slip) => {
    expect(Object.entries(words).filter(([, { en }]) => slip.test(en))).toEqual([]);
  });
});
