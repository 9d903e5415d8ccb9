import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';
import { noGateway } from './gateway';

// The whole app in jsdom on a busy machine takes its time.
jest.setTimeout(60_000);
configure({ asyncUtilTimeout: 15_000 });

// What antd asks of a browser and jsdom does not have.
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null, addListener() {}, removeListener() {} });
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
// Antd's styles are thousands of rules, and jsdom matches every one of them for every query by role. Inline styles tell
// what is hidden, which is all that the queries ask.
window.getComputedStyle = (element) => (element as HTMLElement).style;

beforeEach(() => {
  window.localStorage.setItem('umi_locale', 'en-US');
  noGateway();
});
