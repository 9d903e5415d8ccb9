import '@umijs/max/typings';

declare global {
  interface Window {
    /** Where chunks are loaded from; set by boot.js. */
    publicPath?: string;
  }
}
