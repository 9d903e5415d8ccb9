// Runs before the first paint, as a file because the page allows no inline script: the static host the scripts came from
// becomes the public path of every later chunk; a stored or preferred dark ground, the member's language, its direction and
// its title are there from the start; and a first script or style that does not arrive is told, with the way out.
(() => {
  const LOAD_TIMEOUT_MS = 120000;
  const START_MS = 10000;
  const root = document.documentElement;
  window.publicPath = document.currentScript.src.replace(/boot\.js.*$/, '');

  const stored = (key) => {
    try {
      return localStorage.getItem(key) || '';
    } catch {
      // Storage may be forbidden; the system's preference stands.
      return '';
    }
  };
  const choice = stored('appearance');
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = choice === 'dark' || (choice !== 'light' && prefersDark) ? 'dark' : 'light';

  // As src/utils/language.ts decides it; a test compares the two.
  const spoken = (tag) => (/^en\b/i.test(tag) ? 'en-US' : /^zh\b/i.test(tag) ? 'zh-CN' : '');
  const locale = stored('umi_locale');
  root.lang = spoken(locale) || spoken(navigator.language || '') || 'zh-CN';
  root.dir = /^(?:he|ar|fa|ku)\b/i.test(locale) ? 'rtl' : 'ltr';
  document.title = document.querySelector(`meta[name="application-name"][lang="${root.lang}"]`).content;

  // Once the page has drawn anything, what fails is the page's to tell.
  const hasStarted = () => document.getElementById('root')?.hasChildNodes() === true;
  const tell = (failure) => {
    const words = document.querySelector(`template[data-start-failed="${root.lang}"]`);
    if (!words || document.querySelector('main.start-failed')) return;
    const page = words.content.firstElementChild.cloneNode(true);
    page.dataset.failure = failure;
    page.querySelector('button').addEventListener('click', () => location.reload());
    document.getElementById('root').hidden = true;
    document.body.append(page);
  };
  const late = setTimeout(() => hasStarted() || tell('timeout'), LOAD_TIMEOUT_MS);
  let hasFailed = false;
  const isAhead = ({ dataset }) => dataset?.webpack !== undefined;
  const fail = () => {
    hasFailed = true;
    // The words stand at the end of the page, which may still be on its way.
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => tell('error'), { once: true });
    else tell('error');
  };
  // A script that was loaded ahead and is not what was asked for must be gone, or the bundler would wait for it.
  const handleEnd = ({ target }) => target.tagName === 'SCRIPT' && isAhead(target) && target.remove();
  document.addEventListener('load', handleEnd, true);
  const handleFailure = (event) => {
    const { target } = event;
    if (target.tagName === 'SCRIPT' && isAhead(target)) handleEnd(event);
    else if (target.rel === 'stylesheet' && isAhead(target)) retry(target);
    // Without the tracker and what else stands beside the page it is whole.
    else if (/\/umi\.[^/]*$/.test(target.src || target.href || '') && !hasStarted()) fail();
  };
  // A style loaded ahead counts as arrived for the bundler, so nobody else would tell.
  const retry = (style) => {
    const again = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: style.href });
    again.addEventListener('error', fail);
    style.replaceWith(again);
  };
  document.addEventListener('error', handleFailure, true);
  addEventListener('load', () => {
    clearTimeout(late);
    // Everything arrived and nothing started: what came is something else than our scripts.
    if (!hasFailed) setTimeout(() => hasStarted() || tell('missing'), START_MS);
  });
})();
