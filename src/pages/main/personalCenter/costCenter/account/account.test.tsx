import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Cookies from 'js-cookie';
import { BalancePill } from '@/layouts/BalancePill';
import { buildChange, buildOverview, buildUser } from '@/testing/builders';
import { type Answer, answerCalls, refusal, success } from '@/testing/gateway';
import { buildSku } from '@/testing/orders';
import { renderPage } from '@/testing/renderPage';
import { billingToday } from '@/utils/billingDays';
import AccountPage from '.';

const ACCOUNT = '/main/personalCenter/costCenter/account';
const OVERVIEW = 'GET /gateway/account/overview';
const CHANGES = 'POST /gateway/dcuChange/pageFind';
const SUMMARY = 'GET /gateway/bill/summary';
const PACKS = 'GET /gateway/product/pick';
const ALERT = 'POST /gateway/account/setAlert';
const usage = buildChange({
  changeId: 'c2',
  kind: 'usage',
  amountDcu: -0.123456,
  balanceAfterDcu: 9.583412,
  subject: 'Transformer from scratch',
  workshopId: 'w1',
  observedMs: 890_000,
  dcuPerHour: 0.5,
});
const summary = {
  totalDcu: 1.25,
  observedMs: 9_000_000,
  series: [{ period: billingToday(), dcu: 1.25, observedMs: 9_000_000 }],
  groups: [],
  utcOffset: '+08:00',
};
const packs = { priceVersion: 1, isStudentPrice: false, skus: [buildSku()] };

async function openAccount(answers: Record<string, Answer> = {}, search = '') {
  const made = answerCalls({
    'GET /gateway/user/getUserBySession': success(buildUser()),
    [PACKS]: success(packs),
    [OVERVIEW]: success(buildOverview()),
    [CHANGES]: success({ list: [usage, buildChange()], total: 2 }),
    [SUMMARY]: success(summary),
    ...answers,
  });
  // The figure of the header stands on every page: it and the page read the same balance.
  renderPage(
    <>
      <BalancePill />
      <AccountPage />
    </>,
    { at: `${ACCOUNT}${search}` },
  );
  await screen.findByRole('heading', { name: 'My Account' });
  return {
    made,
    user: userEvent.setup(),
    bodies: (key = CHANGES) => made.filter((call) => call.key === key).map(({ body }) => body),
  };
}

beforeEach(() => Cookies.set('sessionId', 'selector', { path: '/' }));
afterEach(() => Cookies.remove('sessionId', { path: '/' }));

describe('my account', () => {
  it('shows the balance truncated to three decimals, what is held and what it is made of', async () => {
    await openAccount();

    const balance = within(await screen.findByRole('region', { name: 'Balance' }));
    expect(await balance.findByText(/^9\.583/)).toBeVisible();
    expect(balance.getByText('0.083')).toBeVisible();
    expect(balance.getByText('Nothing is running, so nothing is spent.')).toBeVisible();
    expect(screen.getByText('9.583 of 10 DCU')).toBeVisible();
    expect(screen.getByText('Does not end')).toBeVisible();
  });

  it('shows figures that add up while a lab has used what is not settled yet', async () => {
    await openAccount({ [OVERVIEW]: success(buildOverview({ remainDcu: 9.95, availableDcu: 9.9, heldDcu: 0.1 })) });

    const balance = within(await screen.findByRole('region', { name: 'Balance' }));
    expect(await balance.findByText('9.9')).toBeVisible();
    expect(balance.getByText('0.05')).toBeVisible();
    expect(balance.queryByText('0.1')).not.toBeInTheDocument();
  });

  it('says until when the balance lasts while labs run', async () => {
    const lastsUntil = new Date(Date.now() + 19 * 3_600_000).toISOString();
    await openAccount({
      [OVERVIEW]: success(buildOverview({ burnDcuPerHour: 0.5, runningLabs: 2, lastsUntil, runwayMs: 19 * 3_600_000 })),
    });

    expect(await screen.findByText(/Lasts until .+ at 0\.5 DCU\/h, with 2 labs running\./)).toBeVisible();
    expect(screen.getByText('19 hr left at this rate')).toBeVisible();
  });

  it('lists the changes with what each was for', async () => {
    await openAccount();

    const row = within(await screen.findByRole('row', { name: /Transformer from scratch/ }));
    expect(row.getByText('−0.123')).toBeVisible();
    expect(row.getByText('14 min 50 sec at 0.5 DCU/h')).toBeVisible();
    expect(row.getByRole('link', { name: 'Transformer from scratch' })).toHaveAttribute('href', '/main/myLab/workshop/detail/w1');
    expect(within(screen.getByRole('row', { name: /Welcome gift/ })).getByText('+10')).toBeVisible();
  });

  it('reads its filters from the URL and asks for whole days of the member’s own time zone', async () => {
    const { bodies } = await openAccount({}, '?kind=usage&from=2026-11-01&to=2026-11-20&current=2');

    await screen.findByRole('row', { name: /Transformer/ });
    expect(bodies()[0]).toEqual({
      current: 2,
      pageSize: 10,
      kind: 'usage',
      from: new Date('2026-11-01T00:00:00.000').toISOString(),
      to: new Date('2026-11-20T23:59:59.999').toISOString(),
    });
  });

  it('writes the next page into the URL', async () => {
    const { user, bodies } = await openAccount({ [CHANGES]: success({ list: [usage], total: 25 }) });

    await user.click(await screen.findByRole('listitem', { name: '2' }));

    expect(screen.getByTestId('place')).toHaveTextContent(`${ACCOUNT}?current=2`);
    expect(bodies().at(-1)).toEqual({ current: 2, pageSize: 10 });
  });

  it('says what to do next when there are no changes yet', async () => {
    await openAccount({ [CHANGES]: success({ list: [], total: 0 }) });

    expect(await screen.findByText(/Your first lab will write the first line here/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Go to my workshops' })).toBeVisible();
  });

  it('keeps the balance in the header when only its details cannot be had', async () => {
    await openAccount({
      [OVERVIEW]: refusal(50003, 'The service rests.', { status: 503 }),
      'GET /gateway/account/remainDcu': success({ remainDcu: 7.25, availableDcu: 7.25 }),
    });

    expect(await screen.findByRole('button', { name: '7.25 DCU: your balance. Open details.' })).toBeVisible();
  });

  it('asks for the figure alone when the window gets the focus, and for the details once it moved', async () => {
    await openAccount({
      'GET /gateway/account/remainDcu': success({ remainDcu: 4.5, availableDcu: 4.5 }),
    });
    await screen.findByRole('button', { name: /^9\.583 DCU/ });
    const fresh: Record<string, Answer> = {
      [OVERVIEW]: success(buildOverview({ remainDcu: 4.5 })),
      'GET /gateway/account/remainDcu': success({ remainDcu: 4.5, availableDcu: 4.5 }),
      [PACKS]: success(packs),
      [SUMMARY]: success(summary),
    };
    const asked: string[] = [];
    answerCalls(({ key }) => {
      if (!key.includes('/account/')) return fresh[key] ?? refusal(20004, key);
      asked.push(key);
      return fresh[key] ?? refusal(20004, key);
    });

    act(() => {
      window.dispatchEvent(new Event('focus'));
    });

    expect(await screen.findByRole('button', { name: /^4\.5 DCU/ })).toBeVisible();
    await waitFor(() => expect(asked).toEqual(['GET /gateway/account/remainDcu', OVERVIEW]));
  });

  it('offers to try again what could not be loaded', async () => {
    const answers: Record<string, Answer> = { [CHANGES]: refusal(50003, 'The service rests.', { status: 503 }) };
    const { user } = await openAccount(answers);
    const alert = within(await screen.findByRole('alert'));
    expect(alert.getByText('The service rests.')).toBeVisible();

    answerCalls({ [CHANGES]: success({ list: [usage], total: 1 }), [OVERVIEW]: success(buildOverview()) });
    await user.click(alert.getByRole('button', { name: 'Try again' }));

    expect(await screen.findByRole('row', { name: /Transformer/ })).toBeVisible();
  });

  it('shows the spending of thirty days, and as a table to who opens it', async () => {
    const { made, user } = await openAccount();

    const chart = within(await screen.findByRole('region', { name: 'Spent in 30 days' }));
    expect(chart.getByText('1.25 DCU')).toBeVisible();
    expect(chart.getByRole('link', { name: 'See my bills' })).toHaveAttribute(
      'href',
      '/main/personalCenter/costCenter/bill?span=30days',
    );
    await user.click(chart.getByText('Show as a table'));
    const rows = await chart.findAllByRole('row');
    expect(rows).toHaveLength(31);
    expect(rows.at(-1)).toHaveTextContent('1.25 DCU');
    expect(made.find(({ key }) => key === SUMMARY)?.url.searchParams.get('to')).toBe(billingToday());
  });

  it('says so when nothing was charged, instead of drawing it', async () => {
    await openAccount({ [SUMMARY]: success({ ...summary, totalDcu: 0, observedMs: 0, series: [] }) });

    const chart = within(await screen.findByRole('region', { name: 'Spent in 30 days' }));
    expect(chart.getByText(/^Nothing was charged in these 30 days/)).toBeVisible();
    expect(chart.queryByText('Show as a table')).not.toBeInTheDocument();
  });

  it('offers to try again when the spending cannot be had; the rest of the page stands', async () => {
    const answers = { [SUMMARY]: refusal(50003, 'The bills rest.', { status: 503 }) };
    await openAccount(answers);

    const failure = within(await screen.findByRole('alert'));
    expect(failure.getByText('The bills rest.')).toBeVisible();
    expect(await screen.findByRole('row', { name: /Transformer from scratch/ })).toBeVisible();
    answerCalls({ [SUMMARY]: success(summary) });
    await userEvent.click(failure.getByRole('button', { name: 'Try again' }));

    expect(await screen.findByRole('region', { name: 'Spent in 30 days' })).toBeVisible();
  });

  it('leads from a chosen pack to checkout, with what it comes to', async () => {
    // jsdom scrolls nothing.
    const scrolled = jest.fn();
    Element.prototype.scrollIntoView = scrolled;
    const { user } = await openAccount({}, '?topUp=1');

    await waitFor(() => expect(scrolled).toHaveBeenCalledTimes(1));
    const pack = await screen.findByRole('radio', { name: /100 DCU/ });
    await user.click(pack);
    expect(screen.getByText(/It comes to/)).toHaveTextContent('It comes to ¥100.00');
    await user.click(screen.getByRole('button', { name: 'Go to checkout' }));

    expect(screen.getByTestId('place')).toHaveTextContent('/main/personalCenter/costCenter/checkout?sku=dcu-100&quantity=1');
  });
});

describe('the alert of a low balance', () => {
  const form = async () => within(await screen.findByRole('region', { name: 'Low balance alert' }));

  it('is set with a threshold and, if wanted, a text message', async () => {
    const { user, bodies } = await openAccount({
      [ALERT]: success({ thresholdDcu: 5, channels: ['page', 'sms'], isBelow: false }),
    });
    const alert = await form();
    expect(alert.getByText(/No alert is set/)).toBeVisible();
    expect(alert.queryByRole('button', { name: 'Take the alert away' })).not.toBeInTheDocument();

    await user.type(alert.getByRole('spinbutton', { name: 'Tell me below' }), '5');
    await user.click(alert.getByRole('checkbox', { name: 'Also by text message to my phone' }));
    await user.click(alert.getByRole('button', { name: 'Save alert' }));

    expect(await alert.findByRole('status')).toHaveTextContent('The alert is set.');
    expect(bodies(ALERT)).toEqual([{ thresholdDcu: 5, channels: ['page', 'sms'] }]);
  });

  it('is not set without a whole number', async () => {
    const { user, bodies } = await openAccount();
    const alert = await form();
    await user.click(alert.getByRole('button', { name: 'Save alert' }));

    expect(await alert.findByText('A whole number from 1 to 1,000,000')).toBeVisible();
    expect(bodies(ALERT)).toEqual([]);
  });

  it('is said on page and header when the balance is below, and goes away when asked', async () => {
    const low = buildOverview({ alert: { thresholdDcu: 12, channels: ['page'], isBelow: true } });
    const { user, bodies } = await openAccount({ [OVERVIEW]: success(low), [ALERT]: success(null) });
    const alert = await form();
    expect(alert.getByText('The balance is below the 12 DCU you set.')).toBeVisible();
    expect(alert.getByRole('spinbutton', { name: 'Tell me below' })).toHaveValue('12');
    await user.click(screen.getByRole('button', { name: /9\.583 DCU: your balance, below your alert/ }));
    expect(await screen.findByText('Below your alert of 12 DCU.')).toBeVisible();

    await user.click(alert.getByRole('button', { name: 'Take the alert away' }));

    expect(await alert.findByText('The alert is gone.')).toBeVisible();
    expect(bodies(ALERT)).toEqual([{ thresholdDcu: null, channels: ['page'] }]);
  });

  it('says why it could not be saved', async () => {
    const { user } = await openAccount({ [ALERT]: refusal(50003, 'The service rests.', { status: 503 }) });
    const alert = await form();
    await user.type(alert.getByRole('spinbutton', { name: 'Tell me below' }), '5');
    await user.click(alert.getByRole('button', { name: 'Save alert' }));

    expect(await alert.findByRole('alert')).toHaveTextContent('The service rests.');
  });
});
