import { TestBrowser } from '@@/testBrowser';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { history } from '@umijs/max';
import Cookies from 'js-cookie';
import { buildChange, buildOverview, buildUser } from '@/testing/builders';
import { type Answer, answerCalls, refusal, success } from '@/testing/gateway';

const ACCOUNT = '/main/personalCenter/costCenter/account';
const OVERVIEW = 'GET /gateway/account/overview';
const CHANGES = 'POST /gateway/dcuChange/pageFind';
const patience = { timeout: 15_000 };
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

async function openAccount(answers: Record<string, Answer> = {}, search = '') {
  Cookies.set('sessionId', 'selector', { path: '/' });
  const made = answerCalls({
    'GET /gateway/user/getUserBySession': success(buildUser()),
    [OVERVIEW]: success(buildOverview()),
    [CHANGES]: success({ list: [usage, buildChange()], total: 2 }),
    ...answers,
  });
  render(<TestBrowser location={{ pathname: ACCOUNT, search }} />);
  await screen.findByRole('heading', { name: 'My Account' }, patience);
  return { made, user: userEvent.setup(), bodies: () => made.filter(({ key }) => key === CHANGES).map(({ body }) => body) };
}

afterEach(() => {
  cleanup();
  Cookies.remove('sessionId', { path: '/' });
});

describe('my account', () => {
  it('shows the balance truncated to three decimals, what is held and what it is made of', async () => {
    await openAccount();

    const balance = within(await screen.findByRole('region', { name: 'Balance' }, patience));
    expect(await balance.findByText(/^9\.583/)).toBeVisible();
    expect(balance.getByText('0.083')).toBeVisible();
    expect(balance.getByText('Nothing is running, so nothing is spent.')).toBeVisible();
    expect(screen.getByText('9.583 of 10 DCU')).toBeVisible();
    expect(screen.getByText('Does not end')).toBeVisible();
  });

  it('shows figures that add up while a lab has used what is not settled yet', async () => {
    await openAccount({ [OVERVIEW]: success(buildOverview({ remainDcu: 9.95, availableDcu: 9.9, heldDcu: 0.1 })) });

    const balance = within(await screen.findByRole('region', { name: 'Balance' }, patience));
    expect(await balance.findByText('9.9')).toBeVisible();
    expect(balance.getByText('0.05')).toBeVisible();
    expect(balance.queryByText('0.1')).not.toBeInTheDocument();
  });

  it('says until when the balance lasts while labs run', async () => {
    const lastsUntil = new Date(Date.now() + 19 * 3_600_000).toISOString();
    await openAccount({
      [OVERVIEW]: success(buildOverview({ burnDcuPerHour: 0.5, runningLabs: 2, lastsUntil, runwayMs: 19 * 3_600_000 })),
    });

    expect(await screen.findByText(/Lasts until .+ at 0\.5 DCU\/h, with 2 labs running\./, {}, patience)).toBeVisible();
    expect(screen.getByText('19 hr left at this rate')).toBeVisible();
  });

  it('lists the changes with what each was for', async () => {
    await openAccount();

    const row = within(await screen.findByRole('row', { name: /Transformer from scratch/ }, patience));
    expect(row.getByText('−0.123')).toBeVisible();
    expect(row.getByText('14 min 50 sec at 0.5 DCU/h')).toBeVisible();
    expect(row.getByRole('link', { name: 'Transformer from scratch' })).toHaveAttribute('href', '/main/myLab/workshop/detail/w1');
    expect(within(screen.getByRole('row', { name: /Welcome gift/ })).getByText('+10')).toBeVisible();
  });

  it('reads its filters from the URL and asks for whole days of the member’s own time zone', async () => {
    const { bodies } = await openAccount({}, '?kind=usage&from=2026-11-01&to=2026-11-20&current=2');

    await screen.findByRole('row', { name: /Transformer/ }, patience);
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

    await user.click(await screen.findByRole('listitem', { name: '2' }, patience));

    expect(history.location.search).toBe('?current=2');
    expect(bodies().at(-1)).toEqual({ current: 2, pageSize: 10 });
  });

  it('says what to do next when there are no changes yet', async () => {
    await openAccount({ [CHANGES]: success({ list: [], total: 0 }) });

    expect(await screen.findByText(/Your first lab will write the first line here/, {}, patience)).toBeVisible();
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
    const { made } = await openAccount({
      'GET /gateway/account/remainDcu': success({ remainDcu: 4.5, availableDcu: 4.5 }),
    });
    await screen.findByRole('button', { name: /^9\.583 DCU/ }, patience);
    made.length = 0;
    answerCalls(({ key }) => {
      made.push({ key } as (typeof made)[number]);
      return success(key === OVERVIEW ? buildOverview({ remainDcu: 4.5 }) : { remainDcu: 4.5, availableDcu: 4.5 });
    });

    act(() => {
      window.dispatchEvent(new Event('focus'));
    });

    expect(await screen.findByRole('button', { name: /^4\.5 DCU/ }, patience)).toBeVisible();
    await waitFor(() => expect(made.map(({ key }) => key)).toEqual(['GET /gateway/account/remainDcu', OVERVIEW]));
  });

  it('offers to try again what could not be loaded', async () => {
    const answers: Record<string, Answer> = { [CHANGES]: refusal(50003, 'The service rests.', { status: 503 }) };
    const { user } = await openAccount(answers);
    const alert = within(await screen.findByRole('alert', {}, patience));
    expect(alert.getByText('The service rests.')).toBeVisible();

    answerCalls({ [CHANGES]: success({ list: [usage], total: 1 }), [OVERVIEW]: success(buildOverview()) });
    await user.click(alert.getByRole('button', { name: 'Try again' }));

    expect(await screen.findByRole('row', { name: /Transformer/ }, patience)).toBeVisible();
  });
});
