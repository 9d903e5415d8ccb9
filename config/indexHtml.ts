import type { IApi } from '@umijs/max';
import enUS from '../src/locales/en-US';
import zhCN from '../src/locales/zh-CN';
import { type StartWords, startWords } from '../src/utils/startWords';

/** The default language first: its title stands until boot.js has looked which one the member reads. */
const byLanguage: readonly [string, StartWords][] = [
  ['zh-CN', startWords(zhCN)],
  ['en-US', startWords(enUS)],
];

const failureStyle =
  '.start-failed{max-width:520px;margin:0 auto;padding:18vh 24px;text-align:center;color:var(--muted)}' +
  '.start-failed h1{font-weight:600;font-size:20px;line-height:28px;color:var(--ink)}' +
  '.start-failed button{margin-top:8px;min-height:40px;padding:0 20px;font:inherit;font-weight:500;color:#fff;' +
  'background:var(--brand-solid);border:0;border-radius:8px;cursor:pointer}' +
  '.start-failed [data-type]{display:none}.start-failed[data-failure=timeout] [data-type=timeout],' +
  '.start-failed[data-failure=missing] [data-type=missing],.start-failed[data-failure=error] [data-type=error]{display:block}';

/** What stands in for the page when its first script or style does not arrive. boot.js shows it in the member's language. */
function failureTemplate(language: string, words: StartWords): string {
  const types = Object.entries(words.failed).map(([type, sentence]) => `<p data-type="${type}">${sentence}</p>`);
  return (
    `<template data-start-failed="${language}"><main class="start-failed" role="alert">` +
    `<h1>${words.failedTitle}</h1>${types.join('')}<button type="button">${words.reload}</button></main></template>`
  );
}

/** Gives index.html what the framework's template leaves out, in both languages, and lets members zoom. */
export default (api: IApi) => {
  api.describe({ key: 'indexHtml' });
  api.modifyHTML(($) => {
    $('html').attr('lang', 'zh-CN');
    $('meta[http-equiv="X-UA-Compatible"]').remove();
    $('meta[name="viewport"]').attr('content', 'width=device-width, initial-scale=1, viewport-fit=cover');
    $('link[rel="shortcut icon"]').attr({ rel: 'icon', type: 'image/svg+xml' });
    $('title').remove();
    $('meta[charset]').after(`<title>${byLanguage[0]?.[1].title}</title>`);
    for (const [language, words] of byLanguage) {
      $('title').before(`<meta name="application-name" lang="${language}" content="${words.title}">`);
      $('meta[name="viewport"]').before(`<meta name="description" lang="${language}" content="${words.description}">`);
    }
    // Before the scripts: one that hangs keeps all that follows from being read.
    $('#root').after(...byLanguage.map(([language, words]) => failureTemplate(language, words)));
    const plea = byLanguage.map(([language, { noScript }]) => `<p lang="${language}">${noScript}</p>`).join('');
    $('#root').after(`<noscript><div class="start-failed">${plea}</div></noscript>`);
    // Before the styles, so that it hears of one that does not arrive.
    $('link[rel="stylesheet"]').first().before(`<style>${failureStyle}</style>`, $('script[src*="/boot.js"]'));
    return $;
  });
};
