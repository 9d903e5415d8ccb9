import { createHash } from 'node:crypto';
import type { Language } from '../../../locales/messages';
import { type SandboxWords, sandboxMethods, sandboxWords } from '../../../locales/sandboxWords';
import { type CashierAction, payActions, refundModes, type ShownTrade } from './cashier';

const style = `
:root{color-scheme:light dark;--ground:#f5f7fa;--card:#fff;--text:#1d2129;--soft:#5c6470;--line:#d9dde4;--main:#1554ad;--on-main:#fff;--bad:#b42318;--warn:#fff4d6;--on-warn:#5c4200}
@media (prefers-color-scheme:dark){:root{--ground:#12151a;--card:#1c2027;--text:#e8eaed;--soft:#a9b1bd;--line:#3a414c;--main:#7db2ff;--on-main:#0b1a30;--bad:#ff9b90;--warn:#3a2f10;--on-warn:#ffe3a1}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,"PingFang SC","Microsoft YaHei",sans-serif}
main{max-inline-size:30rem;margin-inline:auto;padding:1rem}
header{display:flex;justify-content:space-between;align-items:baseline;gap:1rem}
h1{font-size:1.25rem;margin-block:.5rem}h2{font-size:1rem;margin-block:0 .75rem}
section,.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem;margin-block:1rem}
.warn{background:var(--warn);color:var(--on-warn);border-radius:8px;padding:.5rem .75rem;margin:0}
.amount{font-size:2rem;font-weight:600;margin-block:.25rem;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:minmax(7.25rem,1fr) minmax(0,auto);gap:.25rem .5rem;margin:0;font-size:.9375rem}dt{color:var(--soft);overflow-wrap:anywhere}dd{margin:0;text-align:end;overflow-wrap:break-word}
.txn{font-size:.8125rem}
form{margin:0}ul{list-style:none;margin:0;padding:0;display:grid;gap:.75rem}
button,.button{display:block;inline-size:100%;min-block-size:48px;padding:.6rem 1rem;border:1px solid var(--main);border-radius:8px;background:transparent;color:var(--main);font:inherit;font-weight:600;cursor:pointer;text-align:center;text-decoration:none}
.primary{background:var(--main);color:var(--on-main)}.bad{border-color:var(--bad);color:var(--bad)}
button:focus-visible,a:focus-visible,summary:focus-visible{outline:3px solid var(--main);outline-offset:2px}
p.hint{color:var(--soft);font-size:.875rem;margin-block:.25rem 0}a{color:var(--main)}
summary{cursor:pointer;min-block-size:44px;padding-block:.6rem;font-weight:600}
.state{font-weight:600}`;

/** Nothing runs on the page, nothing is loaded, and its forms go to itself. */
export const CASHIER_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';');

interface PageInput {
  shown: ShownTrade;
  language: Language;
  /** The page's own address, without a query. */
  path: string;
}

/** The cashier page of a trade. */
export function cashierPage({ shown, language, path }: PageInput): string {
  const words = sandboxWords[language];
  const { trade } = shown;
  const isOpen = shown.actions.includes('approve');
  const state = trade.lateAt === null ? words[trade.state === 'WAITING' && !isOpen ? 'CLOSED' : trade.state] : words.LATE;
  const body = `
<p class="warn">${words.noMoney}</p>
<section aria-labelledby="amount"><div id="amount">${words.amount}</div><p class="amount">${yuan(trade.amountFen, language)}</p>
<p class="state" role="status">${state}</p>${facts({ shown, language, path }, words)}</section>
${moneyOf(shown, words, language)}${payForms(shown, words)}${refundForms(shown, words)}
<p><a class="button" href="${escaped(trade.returnUrl)}">${words.back}</a></p>`;
  return whole({ title: words.title, body, language, path });
}

/** What is shown instead of a trade: there is none, or it is not as the form thought. */
export function cashierProblem({
  problem,
  language,
  path,
}: {
  problem: 'gone' | 'stale';
  language: Language;
  path: string;
}): string {
  const words = sandboxWords[language];
  const isGone = problem === 'gone';
  const again = isGone ? '' : `<p><a class="button" href="${escaped(path)}?lang=${language}">${words.reload}</a></p>`;
  const text = isGone ? words.goneText : words.staleText;
  return whole({ title: isGone ? words.goneTitle : words.staleTitle, body: `<p>${text}</p>${again}`, language, path });
}

function whole({ title, body, language, path }: { title: string; body: string; language: Language; path: string }): string {
  const other: Language = language === 'en-US' ? 'zh-CN' : 'en-US';
  const link = `<a href="${escaped(path)}?lang=${other}" hreflang="${other}" lang="${other}">${sandboxWords[language].otherLanguage}</a>`;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main><header><h1>${title}</h1>${link}</header>${body}</main></body></html>`;
}

function facts({ shown: { trade }, language }: PageInput, words: SandboxWords): string {
  const method = sandboxMethods.find((one) => one.method === trade.method)?.name[language] ?? trade.method;
  const rows = [
    [words.subject, trade.subject[language]],
    [words.orderNo, trade.orderNo],
    [words.method, method],
    [words.until, `${instant(trade.expiresAt, language)} (${words.timeZone})`],
  ];
  return `<dl>${rows.map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`;
}

function payForms(shown: ShownTrade, words: SandboxWords): string {
  const [first, ...others] = payActions.filter((action) => shown.actions.includes(action));
  if (!first) return '';
  const list = (actions: readonly (keyof typeof looks)[]) =>
    `<ul>${actions.map((action) => `<li>${button(shown, action, words[action], looks[action])}<p class="hint">${words[`${action}Hint`]}</p></li>`).join('')}</ul>`;
  if (others.length === 0) return `<section>${list([first])}</section>`;
  const rest = others.filter((action) => action !== 'decline');
  return `<section>${list([first, 'decline'])}<details><summary>${words.more}</summary>${list(rest)}</details></section>`;
}

const looks = { approve: 'primary', slow: '', duplicate: '', double: '', late: '', decline: 'bad' } as const;

function refundForms(shown: ShownTrade, words: SandboxWords): string {
  if (shown.trade.state !== 'PAID') return '';
  const rows = refundModes.map((mode) =>
    shown.actions.includes(mode)
      ? `<li>${button(shown, mode, words[mode], '')}</li>`
      : `<li><p class="state">${words[mode]} – ${words.now}</p></li>`,
  );
  return `<section aria-labelledby="refunds"><h2 id="refunds">${words.refunds}</h2><ul>${rows.join('')}</ul></section>`;
}

function moneyOf({ money }: ShownTrade, words: SandboxWords, language: Language): string {
  if (money.length === 0) return '';
  const rows = money.map(({ txn, amountFen, refundedFen }) => {
    const back = refundedFen > 0n ? ` (${words.refunded.replace('{amount}', yuan(refundedFen, language))})` : '';
    return `<dt class="txn">${escaped(txn)}</dt><dd>${yuan(amountFen, language)}${back}</dd>`;
  });
  return `<section aria-labelledby="money"><h2 id="money">${words.money}</h2><dl>${rows.join('')}</dl></section>`;
}

/** One form a button: without a script a page needs nothing else to act. */
function button({ trade }: ShownTrade, action: CashierAction, label: string, look: string): string {
  return `<form method="post"><input type="hidden" name="token" value="${escaped(trade.formToken)}"><button class="${look}" name="action" value="${action}">${label}</button></form>`;
}

function yuan(fen: bigint, language: Language): string {
  const whole = new Intl.NumberFormat(language).format(fen / 100n);
  return `¥${whole}.${String(fen % 100n).padStart(2, '0')}`;
}

function instant(at: Date, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Asia/Shanghai' }).format(at);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? char);
}
