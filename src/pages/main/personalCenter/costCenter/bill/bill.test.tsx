import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildUser } from '@/testing/builders';
import { type Answer, answerCalls, refusal, success } from '@/testing/gateway';
import { renderPage } from '@/testing/renderPage';
import { billingToday, firstDayOf, monthOf } from '@/utils/billingDays';
import BillPage from './index';

const BILL = '/main/personalCenter/costCenter/bill';
const PAGE = 'GET /gateway/bill/page';
const SUMMARY = 'GET /gateway/bill/summary';
const SEGMENTS = 'GET /gateway/bill/segments';
const SESSION = '0193f3a0-0000-7000-8000-000000000001';
const WORKSHOP = '0193f3a0-0000-7000-8000-000000000002';
const OTHER = '0193f3a0-0000-7000-8000-000000000003';

const line = {
  day: '2026-10-31',
  sessionId: SESSION,
  workshopId: WORKSHOP,
  workshopName: 'Transformer from scratch',
  specName: '4 cores · 16 GB',
  observedMs: 5_400_000,
  dcu: 0.75,
  segments: 2,
};
const summary = {
  totalDcu: 1,
  observedMs: 7_200_000,
  series: [
    { period: '2026-10-30', dcu: 0.25, observedMs: 1_800_000 },
    { period: '2026-10-31', dcu: 0.75, observedMs: 5_400_000 },
  ],
  groups: [
    { groupId: OTHER, name: 'Small talk', dcu: 0.25, observedMs: 1_800_000, sessions: 1 },
    { groupId: WORKSHOP, name: 'Transformer from scratch', dcu: 0.75, observedMs: 5_400_000, sessions: 2 },
  ],
  utcOffset: '+08:00',
};
const run = {
  list: [
    { segment: 1, from: '2026-10-31T01:00:00Z', to: '2026-10-31T02:00:00Z', observedMs: 3_600_000, dcuPerHour: 0.5, dcu: 0.5 },
    { segment: 2, from: '2026-10-31T02:00:00Z', to: '2026-10-31T02:30:00Z', observedMs: 1_800_250, dcuPerHour: 0.5, dcu: 0.250034 },
  ],
  total: 2,
  workshopName: 'Transformer from scratch',
  specName: '4 cores · 16 GB',
  startedAt: '2026-10-31T01:00:00Z',
  endedAt: '2026-10-31T02:30:00Z',
  chargedDcu: 0.750034,
  recomputedDcu: 0.750034,
  isExact: true,
};

function openBills(search = '', answers: Record<string, Answer> = {}) {
  const made = answerCalls({
    'GET /gateway/user/getUserBySession': success(buildUser()),
    [PAGE]: success({ list: [line], total: 1, totalDcu: 0.75 }),
    [SUMMARY]: success(summary),
    [SEGMENTS]: success(run),
    ...answers,
  });
  renderPage(<BillPage />, { at: `${BILL}${search}`, route: BILL });
  const queries = (asked: string) =>
    made.filter(({ key }) => key === asked).map(({ url }) => Object.fromEntries(url.searchParams.entries()));
  return { made, user: userEvent.setup(), queries };
}

const place = () => screen.getByTestId('place').textContent;

describe('my bills', () => {
  it('are of the present month unless the URL says otherwise, in days of the billing time zone', async () => {
    const { queries } = openBills();

    await screen.findByRole('row', { name: /Transformer/ });
    const days = { from: firstDayOf(monthOf(billingToday())), to: billingToday() };
    expect(queries(PAGE)).toEqual([{ current: '1', pageSize: '10', ...days }]);
    expect(queries(SUMMARY)).toEqual([{ ...days, step: 'day', group: 'workshop' }]);
    expect(screen.getByText(/China Standard Time \(UTC\+8\)/)).toBeInTheDocument();
  });

  it('show what the days came to, the most expensive workshop first', async () => {
    openBills('?span=custom&from=2026-10-30&to=2026-10-31');

    const groups = within(await screen.findByRole('region', { name: 'What it went to' }));
    const items = groups.getAllByRole('listitem').map((item) => item.textContent);
    expect(items[0]).toMatch(/^Transformer from scratch0\.75 DCU 75%.*1\.5 hr · 2 runs/);
    expect(items[1]).toMatch(/^Small talk0\.25 DCU 25%/);
    expect(screen.getByText('Charged').nextSibling).toHaveTextContent('1 DCU');
    expect(screen.getByText('On average').nextSibling).toHaveTextContent('0.5 DCU/h');
  });

  it('say in a table what the chart draws, days without a charge, too', async () => {
    const { user } = openBills('?span=custom&from=2026-10-29&to=2026-10-31');

    await user.click(await screen.findByText('Show as a table'));

    const table = within(await screen.findByRole('region', { name: 'Charged over time' })).getByRole('table');
    const rows = within(table)
      .getAllByRole('row')
      .map((row) => row.textContent);
    expect(rows).toEqual(['DayDCU', 'Oct 29, 20260 DCU', 'Oct 30, 20260.25 DCU', 'Oct 31, 20260.75 DCU']);
  });

  it('keep the chosen days, step and grouping in the URL', async () => {
    const { user, queries } = openBills();
    await screen.findByRole('row', { name: /Transformer/ });

    await user.click(screen.getByText('Last month'));
    await waitFor(() => expect(place()).toBe(`${BILL}?span=lastMonth`));
    await user.click(screen.getByText('Size', { selector: '.ant-segmented-item-label' }));

    await waitFor(() => expect(place()).toBe(`${BILL}?span=lastMonth&group=spec`));
    await waitFor(() =>
      expect(queries(SUMMARY).at(-1)).toMatchObject({ group: 'spec', from: firstDayOf(monthOf(billingToday(), -1)) }),
    );
  });

  it('narrow the lines and the file to one workshop', async () => {
    const { user, queries } = openBills('?span=custom&from=2026-10-01&to=2026-10-31');

    await user.click(await screen.findByRole('button', { name: 'Only the lines of Transformer from scratch' }));

    await waitFor(() => expect(queries(PAGE).at(-1)).toMatchObject({ workshopId: WORKSHOP, from: '2026-10-01', to: '2026-10-31' }));
    expect(screen.getByRole('link', { name: 'Download as CSV' })).toHaveAttribute(
      'href',
      `/gateway/bill/export?from=2026-10-01&to=2026-10-31&workshopId=${WORKSHOP}`,
    );
    await user.click(await screen.findByRole('button', { name: 'Only Transformer from scratch: show all' }));
    expect(place()).toBe(`${BILL}?span=custom&from=2026-10-01&to=2026-10-31`);
  });

  it('open a line to its segments, with both sums and whether they agree', async () => {
    const { user, queries } = openBills();

    await user.click(await screen.findByRole('button', { name: 'How Transformer from scratch was charged on Oct 31, 2026' }));

    const dialog = within(await screen.findByRole('dialog', { name: 'How a run was charged' }));
    expect(await dialog.findByRole('row', { name: /0\.5 0:30:00\.250 0\.250034/ })).toBeInTheDocument();
    expect(dialog.getAllByText('0.750034')).toHaveLength(2);
    expect(dialog.getByText(/^Exact:/)).toBeInTheDocument();
    expect(queries(SEGMENTS)).toEqual([{ sessionId: SESSION, current: '1', pageSize: '10' }]);
    expect(place()).toBe(`${BILL}?session=${SESSION}`);
  });

  it('say so when a charge is not what its segments come to', async () => {
    openBills(`?session=${SESSION}`, { [SEGMENTS]: success({ ...run, recomputedDcu: 0.75, isExact: false }) });

    expect(await screen.findByText(/The two differ/)).toBeInTheDocument();
  });

  it('say why the file cannot be had', async () => {
    const { user } = openBills();
    await screen.findByRole('row', { name: /Transformer/ });
    answerCalls({ [PAGE]: refusal(50003, 'The service rests.', { status: 503 }) });

    await user.click(screen.getByRole('link', { name: 'Download as CSV' }));

    expect(await screen.findByRole('alert')).toHaveTextContent('The file could not be made. The service rests.');
  });

  it('leave the file to the browser once it can be had', async () => {
    const { user, queries } = openBills();
    await screen.findByRole('row', { name: /Transformer/ });
    const fetched: string[] = [];
    const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      fetched.push(this.pathname);
    });

    await user.click(screen.getByRole('link', { name: 'Download as CSV' }));
    await waitFor(() => expect(fetched).toEqual(['/gateway/bill/export']));
    click.mockRestore();

    expect(queries(PAGE).at(-1)).toMatchObject({ pageSize: '1' });
  });

  it('say what would stand here where nothing was used', async () => {
    openBills('', {
      [PAGE]: success({ list: [], total: 0, totalDcu: 0 }),
      [SUMMARY]: success({ ...summary, totalDcu: 0, observedMs: 0, series: [], groups: [] }),
    });

    expect(await screen.findByText(/Each run of a lab writes a line here/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to my workshops' })).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Download as CSV' })).not.toBeInTheDocument();
  });

  it('offer to try again what could not be summed up, and keep the lines', async () => {
    const { user } = openBills('', { [SUMMARY]: refusal(50003, 'The service rests.', { status: 503 }) });
    const alert = within(await screen.findByRole('alert'));
    expect(await screen.findByRole('row', { name: /Transformer/ })).toBeInTheDocument();

    answerCalls({ [SUMMARY]: success(summary) });
    await user.click(alert.getByRole('button', { name: 'Try again' }));

    expect(await screen.findByRole('region', { name: 'What it went to' })).toBeInTheDocument();
  });
});

describe('a monthly statement', () => {
  it('lists the month by workshop, by size and by day, and prints', async () => {
    const print = jest.spyOn(window, 'print').mockImplementation();
    const { user, queries } = openBills('?statement=2026-10');

    const byDay = within(await screen.findByRole('table', { name: 'By day' }));
    expect(byDay.getByRole('row', { name: 'Oct 31, 2026 1.5 hr 0.750000' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Statement of October 2026' })).toBeInTheDocument();
    expect(queries(SUMMARY).map(({ group }) => group)).toEqual(['workshop', 'spec']);
    expect(queries(SUMMARY)[0]).toMatchObject({ from: '2026-10-01', to: '2026-10-31', step: 'day' });
    await user.click(screen.getByRole('button', { name: 'Print or save as PDF' }));
    expect(print).toHaveBeenCalled();
  });

  it('is of the present month where the URL names none', async () => {
    const { queries } = openBills('?statement=soon');

    expect(await screen.findByText(/This month is not over/)).toBeInTheDocument();
    expect(queries(SUMMARY)[0]).toMatchObject({ from: firstDayOf(monthOf(billingToday())) });
  });
});
