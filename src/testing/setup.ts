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
// jsdom logs "not implemented" for the pseudo elements that antd's table measures.
const { getComputedStyle } = window;
window.getComputedStyle = (element) => getComputedStyle(element);

beforeEach(() => {
  window.localStorage.setItem('umi_locale', 'en-US');
  noGateway();
});
