import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Coupon } from '@/services/coupon';
import { type Answer, answerCalls, refusal, success } from '@/testing/gateway';
import { renderPage } from '@/testing/renderPage';
import CouponsPage from './index';

const LIST = 'GET /gateway/membership/coupons';
const REDEEM = 'POST /gateway/membership/redeemCoupon';
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

function buildCoupon(change: Partial<Coupon> = {}): Coupon {
  return {
    couponId: 'c1',
    title: 'Welcome',
    kind: 'AMOUNT',
    amountFen: 1_000,
    percent: null,
    capFen: null,
    dcu: null,
    scope: 'ALL',
    fits: [],
    minimumFen: 5_000,
    startsAt: inDays(-1),
    endsAt: inDays(29),
    state: 'AVAILABLE',
    orderId: null,
    usedAt: null,
    ...change,
  };
}

function pageOf(...list: Coupon[]): Answer {
  return success({ list, total: list.length, counts: { usable: list.length, used: 3, expired: 0 } });
}

async function open(answers: Record<string, Answer | (() => Answer)>, search = '') {
  const made = answerCalls(answers);
  renderPage(<CouponsPage />, { at: `/coupon${search}`, route: '/coupon' });
  await screen.findByRole('heading', { name: 'My Coupons' });
  return { made, user: userEvent.setup(), place: () => screen.getByTestId('place').textContent };
}

describe('my coupons', () => {
  it('shows each with its value, what it asks for, what it fits, until when, and where to use it', async () => {
    await open({
      [LIST]: pageOf(
        buildCoupon(),
        buildCoupon({
          couponId: 'c2',
          title: 'Learning',
          kind: 'PERCENT',
          percent: 20,
          capFen: 10_000,
          scope: 'PACKAGE',
          minimumFen: 0,
        }),
        buildCoupon({ couponId: 'c3', title: 'Lab', kind: 'DCU', dcu: 10, scope: 'SKU', fits: ['50 DCU', '100 DCU'] }),
      ),
    });

    const welcome = within(await screen.findByRole('article', { name: 'Welcome' }));
    expect(welcome.getByText('¥10 off')).toBeVisible();
    expect(welcome.getByText('On orders of ¥50 or more')).toBeVisible();
    expect(welcome.getByText('For everything on sale')).toBeVisible();
    expect(welcome.getByRole('link', { name: 'Buy DCU with it: Welcome' })).toHaveAttribute(
      'href',
      '/main/personalCenter/costCenter/account?topUp=1',
    );
    expect(welcome.getByRole('link', { name: /^Choose a membership/ })).toBeVisible();
    const learning = within(screen.getByRole('article', { name: 'Learning' }));
    expect(learning.getByText('20% off')).toBeVisible();
    expect(learning.getByText('At most ¥100 off')).toBeVisible();
    expect(learning.getByText('On orders of any size')).toBeVisible();
    expect(learning.queryByRole('link', { name: /^Buy DCU/ })).not.toBeInTheDocument();
    const lab = within(screen.getByRole('article', { name: 'Lab' }));
    expect(lab.getByText('+10 DCU')).toBeVisible();
    expect(lab.getByText('For 50 DCU and 100 DCU')).toBeVisible();
  });

  it('marks what ends soon, what begins later and what an order keeps', async () => {
    await open({
      [LIST]: pageOf(
        buildCoupon({ title: 'Soon', endsAt: inDays(2.02) }),
        buildCoupon({ couponId: 'c2', title: 'Later', startsAt: inDays(5) }),
        buildCoupon({ couponId: 'c3', title: 'Kept', state: 'RESERVED', orderId: 'o7' }),
      ),
    });

    expect(await within(await screen.findByRole('article', { name: 'Soon' })).findByText(/^Ends in 2 days/)).toBeVisible();
    const later = within(screen.getByRole('article', { name: 'Later' }));
    expect(later.getByText('Not valid yet')).toBeVisible();
    expect(later.queryByRole('link')).not.toBeInTheDocument();
    const kept = within(screen.getByRole('article', { name: 'Kept' }));
    expect(kept.getByText('Kept for an order')).toBeVisible();
    expect(kept.getByRole('link', { name: 'See the order' })).toHaveAttribute(
      'href',
      '/main/personalCenter/costCenter/order?order=o7',
    );
  });

  it('keeps the tab in the URL and counts what is in each', async () => {
    const { made, user, place } = await open({ [LIST]: pageOf(buildCoupon()) }, '?status=expired');
    expect(await screen.findByRole('tab', { name: 'Ended 0 coupons', selected: true })).toBeVisible();

    await user.click(screen.getByRole('tab', { name: 'Used 3 coupons' }));

    await waitFor(() => expect(place()).toBe('/coupon?status=used'));
    const asked = () => made.filter(({ key }) => key === LIST).map(({ url }) => url.searchParams.get('status'));
    await waitFor(() => expect(asked()).toEqual(['expired', 'used']));
    await user.click(screen.getByRole('tab', { name: 'Usable 1 coupon' }));
    await waitFor(() => expect(place()).toBe('/coupon'));
  });

  it('says where coupons come from when there are none', async () => {
    const { user, place } = await open({ [LIST]: pageOf() });

    expect(await screen.findByText(/^No coupons to use/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Go to the points center' }));
    expect(place()).toBe('/main/personalCenter/pointsCenter');
  });

  it('offers to try again what could not be loaded', async () => {
    const { user } = await open({ [LIST]: refusal(50003, 'The service rests.', { status: 503 }) });
    expect(await screen.findByRole('alert')).toHaveTextContent('The service rests.');

    answerCalls({ [LIST]: pageOf(buildCoupon()) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));

    expect(await screen.findByRole('article', { name: 'Welcome' })).toBeVisible();
  });
});

describe('Activate Rights', () => {
  const redeemed = { gives: 'coupon', title: '¥10 off', couponId: 'c9', dcu: null, days: null };

  it('opens by its button and by the address, and tells what the code gave', async () => {
    const { made, user, place } = await open({ [LIST]: pageOf(), [REDEEM]: success(redeemed) });
    await user.click(screen.getByRole('button', { name: 'Activate Rights' }));
    expect(place()).toBe('/coupon?redeem=1');

    const dialog = within(await screen.findByRole('dialog', { name: 'Activate Rights' }));
    await user.type(dialog.getByLabelText('Code'), '  WELCOME2026 ');
    await user.click(dialog.getByRole('button', { name: 'Redeem code' }));

    expect(await dialog.findByText('Redeemed: ¥10 off')).toBeVisible();
    expect(dialog.getByRole('link', { name: 'See my coupons' })).toBeVisible();
    const sent = made.find(({ key }) => key === REDEEM);
    expect(sent?.body).toEqual({ code: 'WELCOME2026' });
    expect(sent?.headers['Idempotency-Key']).toMatch(/^\w{32}$/);
    expect(made.filter(({ key }) => key === LIST)).toHaveLength(2);
  });

  it('says beside the field why a code was refused, and keeps what was typed', async () => {
    const { user } = await open({ [LIST]: pageOf(), [REDEEM]: refusal(31002, 'There is no such code.') }, '?redeem=1');
    const dialog = within(await screen.findByRole('dialog', { name: 'Activate Rights' }));
    await user.type(dialog.getByLabelText('Code'), 'NOSUCH');

    await user.click(dialog.getByRole('button', { name: 'Redeem code' }));

    expect(await dialog.findByText('There is no such code.')).toBeVisible();
    expect(dialog.getByLabelText('Code')).toHaveValue('NOSUCH');
    expect(dialog.getByLabelText('Code')).toHaveFocus();
  });

  it('asks for a code before it sends anything', async () => {
    const { made, user } = await open({ [LIST]: pageOf() }, '?redeem=1');
    const dialog = within(await screen.findByRole('dialog', { name: 'Activate Rights' }));

    await user.click(dialog.getByRole('button', { name: 'Redeem code' }));
    expect(await dialog.findByText('Enter the code')).toBeVisible();
    await user.type(dialog.getByLabelText('Code'), 'AB');
    expect(await dialog.findByText('A code has 4 to 40 characters')).toBeVisible();

    expect(made.filter(({ key }) => key === REDEEM)).toEqual([]);
  });

  it('speaks Chinese to who chose it', async () => {
    window.localStorage.setItem('umi_locale', 'zh-CN');
    answerCalls({ [LIST]: pageOf(buildCoupon()), [REDEEM]: success(redeemed) });
    renderPage(<CouponsPage />, { at: '/coupon?redeem=1', route: '/coupon' });

    expect(await screen.findByRole('dialog', { name: '激活权益' })).toBeVisible();
    expect(await screen.findByText('订单满 ¥50 可用')).toBeInTheDocument();
  });
});
