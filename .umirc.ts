import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineConfig } from '@umijs/max';
import proxy from './config/proxy';
import routes from './config/routes';
import { rootStyle } from './config/theme';

const publicPath = '/dist/';
// boot.js keeps its name through every build, so its content is named in the query.
const bootVersion = createHash('sha256').update(readFileSync('./public/boot.js')).digest('hex').slice(0, 8);

export default defineConfig({
  npmClient: 'npm',
  plugins: ['./config/indexHtml', './config/trackerProgram'],
  routes,
  proxy,
  base: '/',
  history: { type: 'browser' },
  mountElementId: 'root',
  publicPath,
  // The gateway writes the static host in front of /dist/ in index.html; boot.js hands it to every later chunk.
  runtimePublicPath: {},
  favicons: [`${publicPath}favicon.svg`],
  metas: [{ name: 'theme-color', content: '#644CFF' }],
  headScripts: [{ src: `${publicPath}boot.js?v=${bootVersion}` }],
  styles: [rootStyle()],
  hash: true,
  define: { 'process.env.MOCK_PANEL': process.env.MOCK_PANEL ?? '' },
  jsMinifier: 'terser',
  polyfill: false,
  alias: {
    qs: '@/utils/lean/queryString',
    'isomorphic-fetch': '@/utils/lean/fetch',
    'resize-observer-polyfill': '@/utils/lean/resizeObserver',
  },
  moment2dayjs: { preset: 'antd', plugins: ['duration'] },
  clickToComponent: false,
  // Without this the language menu and its floating layers would ride in the first chunk of every page.
  chainWebpack: (webpack) => {
    // Umi's webpack takes the base of one of xterm's classes for unused and builds `class extends null`.
    webpack.optimization.innerGraph(false);
    webpack.module
      .rule('generated-without-side-effects')
      .test(/\.umi(-production)?\/(exports\.ts|plugin-\w+\/index\.tsx?)$/)
      .sideEffects(false);
  },
  antd: {},
  access: {},
  model: {},
  initialState: { loading: '@/layouts/StartPlaceholder' },
  layout: { locale: true },
  locale: { default: 'zh-CN', antd: true, title: false, baseNavigator: true, useLocalStorage: true },
});
