/** Bars by day or month. */
export default {
  'chart.asTable': 'Show as a table',
} as const;
