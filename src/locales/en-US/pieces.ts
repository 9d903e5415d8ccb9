/** What the pieces say that every page is built of: lists, questions, long work. */
export default {
  'list.loading': 'Loading',
  'list.filtered.title': 'Nothing matches',
  'list.filtered.words': 'Nothing here fits these filters. Clear them to see everything.',
  'list.clear': 'Clear filters',
  'list.stale': 'This could not be refreshed; what you see is from before.',
  'list.pages': 'Pages',
  'copy.do': 'Copy: {name}',
  'copy.done': 'Copied: {name}',
  'copy.byHand': 'The browser does not allow copying here: mark it and copy it by hand.',
  'work.elapsed': '{duration} so far',
  'work.leave': 'You can leave this page: it goes on without you.',
} as const;
