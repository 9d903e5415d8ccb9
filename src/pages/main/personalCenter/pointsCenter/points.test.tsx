import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PointsChange, PointsOverview, PointsTask, Reward } from '@/services/points';
import { type Answer, answerCalls, type MadeCall, refusal, success } from '@/testing/gateway';
import { renderPage } from '@/testing/renderPage';
import PointsPage from './index';

const OVERVIEW = 'GET /gateway/points/overview';
const TASKS = 'GET /gateway/points/tasks';
const CHANGES = 'GET /gateway/points/page';
const CHECK_IN = 'POST /gateway/points/checkIn';
const REDEEM = 'POST /gateway/points/redeem';

const open5: Reward = { rewardId: 'dcu-5', title: '5 DCU', description: 'At once.', points: 400, gives: 'dcu', left: null };
const week: Reward = { rewardId: 'week', title: 'A week', description: 'Standard.', points: 600, gives: 'membership', left: 1 };
const taken: Reward = { rewardId: 'once', title: 'Once', description: 'One each.', points: 10, gives: 'coupon', left: 0 };
const checkIn = { isDoneToday: false, today: '2026-11-21', streakDays: 2, days: ['2026-11-19', '2026-11-20'], nextPoints: 5 };

function buildOverview(change: Partial<PointsOverview> = {}): PointsOverview {
  return {
    ...{ points: 520, heldPoints: 100, fenPerPoint: 1, mostPercent: 50, checkIn },
    ...{ earnedThisMonth: 45, monthlyBudget: 500, rewards: [open5, week, taken] },
    ...change,
  };
}

const tasks: PointsTask[] = [
  { taskId: 'student', title: 'Study', description: 'A mailbox.', points: 200, isDone: false, doneAt: null, path: '/settings' },
  {
    taskId: 'lab',
    title: 'First lab',
    description: 'Start it.',
    points: 50,
    isDone: true,
    doneAt: '2026-11-02T04:00:00Z',
    path: '/x',
  },
];
const change: PointsChange = {
  ...{ changeId: '1', at: '2026-11-20T04:00:00Z', kind: 'spend', points: -120, balanceAfter: 520 },
  ...{ subject: '50 DCU', orderId: 'o1' },
};

type Answers = Record<string, Answer | ((call: MadeCall) => Answer)>;

async function open(answers: Answers = {}, search = '') {
  const made = answerCalls({
    [OVERVIEW]: success(buildOverview()),
    [TASKS]: success({ list: tasks }),
    [CHANGES]: success({ list: [change], total: 1 }),
    ...answers,
  });
  renderPage(<PointsPage />, { at: `/points${search}`, route: '/points' });
  await screen.findByRole('heading', { name: 'Points Center' });
  const count = (key: string) => made.filter((call) => call.key === key).length;
  return { made, count, user: userEvent.setup() };
}

describe('my points', () => {
  it('stand with what they are worth, what orders keep, and this month’s budget', async () => {
    await open();

    const balance = within(await screen.findByRole('region', { name: 'My points' }));
    expect(balance.getByText('520 points')).toBeVisible();
    expect(balance.getByText('Worth ¥5.20 on an order, for up to 50% of its price.')).toBeVisible();
    expect(balance.getByText('100 of them are kept for orders that are not paid yet.')).toBeVisible();
    expect(balance.getByText('45 of 500')).toBeVisible();
  });

  it('offer to try again where they could not be loaded', async () => {
    const { user } = await open({ [OVERVIEW]: refusal(50003, 'The service rests.', { status: 503 }) });
    expect(await screen.findByRole('alert')).toHaveTextContent('The service rests.');

    answerCalls({ [OVERVIEW]: success(buildOverview()) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));

    expect(await screen.findByText('520 points')).toBeVisible();
  });
});

describe('the check-in', () => {
  const calendar = async () => within(await screen.findByRole('table', { name: 'Check-ins of November 2026' }));

  it('is a calendar whose days say in words what they are', async () => {
    await open();

    const month = await calendar();
    expect(month.getAllByRole('columnheader').map(({ textContent }) => textContent)[0]).toBe('Mon');
    expect(month.getByRole('cell', { name: '20 checked in' })).toBeVisible();
    expect(month.getByRole('cell', { name: '21 today' })).toHaveAttribute('aria-current', 'date');
    expect(screen.getByText('2 days in a row')).toBeVisible();
  });

  it('says what it brings, marks the day, and asks anew for what it changed', async () => {
    const done = { ...checkIn, isDoneToday: true, streakDays: 3, days: [...checkIn.days, '2026-11-21'], nextPoints: 20 };
    const { count, user } = await open({ [CHECK_IN]: success({ points: 5, balance: 525, checkIn: done }) });

    await user.click(await screen.findByRole('button', { name: 'Check in for 5 points' }));

    expect(await screen.findByText('Checked in: 5 points more.')).toBeVisible();
    expect(screen.getByText('The next one brings 20 points.', { exact: false })).toBeVisible();
    expect((await calendar()).getByRole('cell', { name: '21 today checked in' })).toBeVisible();
    expect(screen.getByText('3 days in a row')).toBeVisible();
    await waitFor(() => expect([count(OVERVIEW), count(CHANGES)]).toEqual([2, 2]));
  });

  it('done in another window is no failure', async () => {
    const answers: Answer[] = [success(buildOverview()), success(buildOverview({ checkIn: { ...checkIn, isDoneToday: true } }))];
    const { user } = await open({
      [OVERVIEW]: () => answers.shift() ?? refusal(50000, 'asked too often'),
      [CHECK_IN]: refusal(31013, 'Today’s check-in is done.'),
    });

    await user.click(await screen.findByRole('button', { name: 'Check in for 5 points' }));

    expect(await screen.findByText('Checked in today')).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('says that the budget of the month is used up', async () => {
    await open({ [OVERVIEW]: success(buildOverview({ earnedThisMonth: 500, checkIn: { ...checkIn, nextPoints: 0 } })) });

    expect(await screen.findByRole('button', { name: 'Check in for 0 points' })).toBeVisible();
    expect(screen.getAllByText(/^This month’s budget is used up/)).toHaveLength(2);
  });
});

describe('the tasks', () => {
  it('lead to where they are done, and say when they were', async () => {
    await open();

    expect(await screen.findByRole('link', { name: 'Do it: Study' })).toHaveAttribute('href', '/settings');
    expect(screen.getByText('Done on Nov 2, 2026')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Do it: First lab' })).not.toBeInTheDocument();
  });
});

describe('the rewards', () => {
  it('say what is missing, counted without what orders keep, and what is taken', async () => {
    await open();

    expect(await screen.findByText('600 points · 180 points more needed')).toBeVisible();
    expect(screen.getByText('You have taken this')).toBeVisible();
    expect(screen.getByRole('button', { name: '5 DCU: redeem for 400 points' })).toBeVisible();
  });

  it('are asked about once and then tell what they gave', async () => {
    const given = { title: '5 DCU', balance: 120, couponId: null, dcu: 5, days: null };
    const { made, count, user } = await open({ [REDEEM]: success(given) });
    await user.click(await screen.findByRole('button', { name: '5 DCU: redeem for 400 points' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Redeem 5 DCU?' }));
    expect(dialog.getByText('It costs 400 points. You have 20 left after that.')).toBeVisible();
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Keep my points' })).toHaveFocus());

    await user.click(dialog.getByRole('button', { name: 'Redeem for 400 points' }));

    expect(await dialog.findByText('5 DCU were added to your balance.')).toBeVisible();
    const sent = made.find(({ key }) => key === REDEEM);
    expect(sent?.body).toEqual({ rewardId: 'dcu-5', expectedPoints: 400 });
    expect(sent?.headers['Idempotency-Key']).toMatch(/^\w{32}$/);
    await waitFor(() => expect([count(OVERVIEW), count(CHANGES)]).toEqual([2, 2]));
  });

  it('say why they could not be had, and look again', async () => {
    const { count, user } = await open({ [REDEEM]: refusal(30002, 'It costs something else now.', { data: { points: 450 } }) });
    await user.click(await screen.findByRole('button', { name: '5 DCU: redeem for 400 points' }));

    await user.click(await screen.findByRole('button', { name: 'Redeem for 400 points' }));

    expect(await screen.findByText('It costs something else now. Look again before you redeem it.')).toBeVisible();
    await waitFor(() => expect(count(OVERVIEW)).toBe(2));
    expect(screen.getByRole('button', { name: 'Keep my points' })).toBeEnabled();
  });
});

describe('the changes', () => {
  it('stand with their sign and what they were for', async () => {
    await open();

    const row = within(await screen.findByRole('row', { name: /^50 DCU Paid with/ }));
    expect(row.getByText('−120')).toBeVisible();
    expect(row.getByRole('link', { name: '50 DCU' })).toHaveAttribute('href', '/main/personalCenter/costCenter/order?order=o1');
  });

  it('read their filter from the URL', async () => {
    const { made } = await open({ [CHANGES]: success({ list: [], total: 0 }) }, '?kind=reward&current=2');

    expect(await screen.findByText('Nothing matches')).toBeVisible();
    const asked = made.find(({ key }) => key === CHANGES);
    expect(Object.fromEntries(asked?.url.searchParams ?? [])).toEqual({ current: '2', pageSize: '10', kind: 'reward' });
  });

  it('are in Chinese for who chose it', async () => {
    window.localStorage.setItem('umi_locale', 'zh-CN');
    answerCalls({
      [OVERVIEW]: success(buildOverview()),
      [TASKS]: success({ list: [] }),
      [CHANGES]: success({ list: [], total: 0 }),
    });
    renderPage(<PointsPage />, { at: '/points', route: '/points' });

    expect(await screen.findByRole('table', { name: '2026年11月签到' })).toBeVisible();
    expect(await screen.findByRole('button', { name: '签到，得 5 积分' })).toBeVisible();
    expect(await screen.findByText(/^还没有变动/)).toBeVisible();
  });
});
