import { EVENT_DAYS } from '../domains/tracker/tracker.service';
import { getTrackReport, type TrackReport } from '../domains/tracker/trackReport.service';
import { defineCommand } from './command';
import { textTable } from './textTable';

export const trackReport = defineCommand({
  name: 'track report',
  summary: 'Says which pages were opened, what was clicked, what failed and where visits came from.',
  options: {
    days: { kind: 'count', meaning: 'so many days up to today, in UTC', default: 7, min: 1, max: EVENT_DAYS },
    json: { kind: 'switch', meaning: 'as JSON, for programs' },
  },
  async run({ db, say }, { days, json }) {
    const report = await getTrackReport(db, days);
    if (json) say(JSON.stringify(report, null, 2));
    else for (const line of linesOf(report)) say(line);
  },
});

function linesOf(report: TrackReport): string[] {
  const { from, to, totals, days, routes, clicks, errors, origins, timings } = report;
  const span = from === to ? `on ${from}` : `from ${from} to ${to}`;
  if (totals.visits === 0) return [`No visit told anything ${span} (UTC).`];
  const sum = `${totals.pageViews} page views in ${totals.visits} visits (${totals.signedInVisits} signed in), ${totals.clicks} clicks, ${totals.errors} errors`;
  return [
    `${sum}, ${span} (UTC).`,
    ...textTable('By day', days, ['day', 'pageViews', 'visits', 'signedInVisits', 'clicks', 'errors']),
    ...textTable('Pages', routes, ['route', 'pageViews', 'visits']),
    ...textTable('Clicks', clicks, ['element', 'route', 'clicks', 'visits']),
    ...textTable('Errors', errors, ['errorType', 'place', 'route', 'times', 'visits']),
    ...textTable('Where visits came from', origins, ['source', 'eventCode', 'visits', 'pageViews']),
    ...textTable('Loading, in ms', timings, ['timing', 'loads', 'medianMs', 'slowestTenthMs']),
  ];
}
