import type { RunTimeLayoutConfig } from '@umijs/max';

export const consoleLayout: RunTimeLayoutConfig = () => ({ title: 'Atelier', layout: 'mix' });
