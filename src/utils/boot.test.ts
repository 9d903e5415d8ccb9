import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import enUS from '@/locales/en-US';
import zhCN from '@/locales/zh-CN';
import { currentDirection, currentLanguage } from './language';
import { startWords } from './startWords';

const boot = readFileSync(join(__dirname, '../../public/boot.js'), 'utf8');
const byLanguage = { 'en-US': startWords(enUS), 'zh-CN': startWords(zhCN) };

/** As much of index.html as boot.js looks at. */
function layPage(): void {
  const languages = Object.entries(byLanguage);
  document.head.innerHTML = languages
    .map(([language, { title }]) => `<meta name="application-name" lang="${language}" content="${title}">`)
    .join('');
  document.body.innerHTML = `<div id="root"></div>${languages
    .map(
      ([language, { failedTitle, reload }]) =>
        `<template data-start-failed="${language}"><main class="start-failed"><h1>${failedTitle}</h1><button>${reload}</button></main></template>`,
    )
    .join('')}`;
}

function runBoot(): void {
  const script = Object.assign(document.createElement('script'), { src: 'https://static.example/atelier/dist/boot.js?v=1' });
  jest.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
  new Function(boot)();
}

/** A file of the page that did not arrive. */
function fail(element: HTMLElement): void {
  document.head.append(element);
  element.dispatchEvent(new Event('error'));
}

const script = () => Object.assign(document.createElement('script'), { src: 'https://static.example/dist/umi.0123abcd.js' });
const style = () =>
  Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'https://static.example/dist/umi.0.css' });
const page = () => document.querySelector<HTMLElement>('main.start-failed');

beforeEach(() => {
  jest.useFakeTimers();
  window.localStorage.clear();
  layPage();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('before the first paint', () => {
  it.each([
    ['', 'en-GB'],
    ['', 'fr-FR'],
    ['zh-CN', 'en-US'],
    ['en-US', 'zh-CN'],
    ['ar', 'en-US'],
    ['he-IL', 'zh-CN'],
    ['fa', 'ar'],
    ['de-DE', 'en-US'],
  ])('language, direction and title of choice %j in a browser of %s are those of the console', (choice, browser) => {
    jest.spyOn(window.navigator, 'language', 'get').mockReturnValue(browser);
    window.localStorage.setItem('umi_locale', choice);

    runBoot();

    expect(document.documentElement.lang).toBe(currentLanguage());
    expect(document.documentElement.dir).toBe(currentDirection());
    expect(document.title).toBe(byLanguage[currentLanguage()].title);
  });

  it('later chunks come from where the first script came from', () => {
    runBoot();

    expect(window.publicPath).toBe('https://static.example/atelier/dist/');
  });
});

describe('a first file that does not arrive', () => {
  it.each([
    ['script', script],
    ['style', style],
  ])('is told in the member’s language: %s', (_, make) => {
    window.localStorage.setItem('umi_locale', 'zh-CN');
    runBoot();

    fail(make());

    expect(page()?.dataset.failure).toBe('error');
    expect(page()).toHaveTextContent('页面的一部分未能加载');
    expect(document.getElementById('root')).toHaveAttribute('hidden');
  });

  it('is told when nothing came within two minutes', () => {
    runBoot();

    jest.advanceTimersByTime(119_999);
    expect(page()).toBeNull();
    jest.advanceTimersByTime(1);

    expect(page()?.dataset.failure).toBe('timeout');
  });

  it('is told when something else came', () => {
    runBoot();

    window.dispatchEvent(new Event('load'));
    jest.advanceTimersByTime(200_000);

    expect(page()?.dataset.failure).toBe('missing');
  });

  it('is the page’s own to tell once it has started', () => {
    runBoot();
    document.getElementById('root')?.append(document.createElement('div'));

    fail(script());
    window.dispatchEvent(new Event('load'));
    jest.advanceTimersByTime(200_000);

    expect(page()).toBeNull();
  });

  it('leaves the page when it came ahead of its time, so that the bundler asks anew', () => {
    runBoot();
    const [missing, wrong] = [script(), script()].map((one) =>
      Object.assign(one, { src: 'https://static.example/dist/7.async.js' }),
    );
    for (const one of [missing, wrong]) one?.setAttribute('data-webpack', 'atelier:7');

    fail(missing ?? script());
    document.head.append(wrong ?? '');
    wrong?.dispatchEvent(new Event('load'));

    expect(document.querySelector('script[data-webpack]')).toBeNull();
    expect(page()).toBeNull();
  });

  it('is asked for once more when it is a style that came ahead of its time, and then told', () => {
    runBoot();
    const ahead = Object.assign(style(), { href: 'https://static.example/dist/7.chunk.css' });
    ahead.setAttribute('data-webpack', 'atelier:7');

    fail(ahead);
    expect(page()).toBeNull();
    const again = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]');
    again?.dispatchEvent(new Event('error'));

    expect(again?.href).toBe('https://static.example/dist/7.chunk.css');
    expect(page()?.dataset.failure).toBe('error');
  });

  it('is neither a picture, nor the tracker, nor an error of a script', () => {
    runBoot();

    fail(document.createElement('img'));
    fail(Object.assign(document.createElement('script'), { src: '/tracker/tracker.js' }));
    window.dispatchEvent(new Event('error'));

    expect(page()).toBeNull();
  });
});
