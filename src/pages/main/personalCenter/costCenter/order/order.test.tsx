import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerCalls, type MadeCall, refusal, success } from '@/testing/gateway';
import { buildOffered, buildOrder, buildOrderRow, buildPaidOrder, buildPayment, moneyAnswers } from '@/testing/orders';
import { renderPage } from '@/testing/renderPage';
import OrdersPage from './index';

const at = '/main/personalCenter/costCenter/order';
const LIST = 'POST /gateway/order/pageFind';
const FIND = 'GET /gateway/order/find';
const CANCEL = 'POST /gateway/order/cancel';
const QUOTE = 'GET /gateway/order/refundQuote';
const REFUND = 'POST /gateway/order/refund';
const pending = buildOrderRow();
const paid = buildOrderRow({ orderId: 'o2', title: '50 DCU', state: 'FULFILLED', actions: ['refund'], quantity: 2 });
const listOf = (...list: (typeof pending)[]) => success({ list, total: list.length });
const quote = {
  orderId: 'o2',
  isPossible: true,
  cause: null,
  refundFen: 7_350,
  withdrawnDcu: 73.5,
  endsPackage: false,
  forfeitedFen: 0,
  withdrawnPoints: 73,
  spentPointsFen: 27,
  returnedPoints: 300,
  returnsCoupon: true,
};

function open(answers: Parameters<typeof moneyAnswers>[0] = {}, search = '') {
  const made = answerCalls(
    moneyAnswers({ [LIST]: listOf(pending, paid), [FIND]: success(buildPaidOrder({ orderId: 'o2' })), ...answers }),
  );
  renderPage(<OrdersPage />, { at: `${at}${search}`, route: at });
  return {
    made,
    user: userEvent.setup(),
    bodiesOf: (key: string) => made.filter((call) => call.key === key).map(({ body }) => body),
  };
}

const place = () => screen.getByTestId('place').textContent;
const rowOf = (name: RegExp) => screen.findByRole('row', { name });

describe('my orders', () => {
  it('lists each with its state in a word, its amount, and the time left where it waits to be paid', async () => {
    open();

    const waiting = within(await rowOf(/100 DCU/));
    expect(waiting.getByText('To be paid')).toBeVisible();
    expect(waiting.getByText('¥100.00')).toBeVisible();
    expect(waiting.getByRole('timer')).toBeVisible();
    const done = within(await rowOf(/50 DCU × 2/));
    expect(done.getByText('Paid')).toBeVisible();
    expect(done.queryByRole('timer')).not.toBeInTheDocument();
  });

  it('offers what the gateway says can be done, and nothing else', async () => {
    open();

    const namesIn = (row: HTMLElement) =>
      within(row)
        .getAllByRole('button')
        .map((button) => button.textContent)
        .filter(Boolean);
    expect(namesIn(await rowOf(/100 DCU/))).toEqual(['100 DCU', 'Pay', 'Cancel']);
    expect(namesIn(await rowOf(/50 DCU/))).toEqual(['50 DCU × 2', 'Refund']);
  });

  it('leads to the payment of an order that waits', async () => {
    const { user } = open();

    await user.click(await screen.findByRole('button', { name: 'Pay: 100 DCU' }));

    expect(place()).toBe('/main/personalCenter/costCenter/checkout?order=o1');
  });

  it('reads its filters from the URL and writes them there', async () => {
    const { user, bodiesOf } = open({}, '?state=PENDING&kind=SKU&from=nonsense');
    await rowOf(/100 DCU/);
    expect(bodiesOf(LIST)[0]).toEqual({ current: 1, pageSize: 10, state: 'PENDING', kind: 'SKU' });

    await user.click(screen.getByRole('combobox', { name: 'State' }));
    await user.click(await screen.findByTitle('Refunded'));

    expect(place()).toContain('state=REFUNDED');
    await waitFor(() => expect(bodiesOf(LIST).at(-1)).toMatchObject({ state: 'REFUNDED', kind: 'SKU' }));
  });

  it('says what to do when there are none yet', async () => {
    const { user } = open({ [LIST]: listOf() });

    expect(await screen.findByText(/No orders yet/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Buy DCU' }));
    expect(place()).toBe('/main/personalCenter/costCenter/checkout');
  });

  it('asks before cancelling, cancels once, and looks at the list again', async () => {
    const { user, bodiesOf } = open({ [CANCEL]: success(buildOrder({ state: 'CANCELLED' })) });
    await user.click(await screen.findByRole('button', { name: 'Cancel: 100 DCU' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel the order for 100 DCU?' });
    expect(bodiesOf(CANCEL)).toHaveLength(0);
    const asked = bodiesOf(LIST).length;

    await user.click(within(dialog).getByRole('button', { name: 'Cancel order' }));

    await waitFor(() => expect(bodiesOf(LIST).length).toBeGreaterThan(asked));
    expect(bodiesOf(CANCEL)).toEqual([{ orderId: 'o1' }]);
  });

  it('says in the dialog that the order was paid meanwhile', async () => {
    const { user } = open({ [CANCEL]: refusal(30001, 'The order is paid.', { status: 409 }) });
    await user.click(await screen.findByRole('button', { name: 'Cancel: 100 DCU' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel order' }));

    expect(await screen.findByText('The order is paid.')).toBeVisible();
  });
});

describe('one order', () => {
  it('opens by its address with price, payments and what happened in plain words', async () => {
    const coupon = buildOffered().coupon;
    const amounts = { couponDiscountFen: 1_000, payableFen: 9_000, coupon };
    open(
      { [FIND]: success(buildPaidOrder({ ...amounts, payments: [buildPayment({ state: 'SUCCEEDED', amountFen: 9_000 })] })) },
      '?order=o2',
    );

    const drawer = within(await screen.findByRole('dialog', { name: 'Order' }));
    expect(await drawer.findByText('20261121160000123456')).toBeVisible();
    expect(drawer.getByText('¥10 off ¥50')).toBeVisible();
    expect(drawer.getByText('Points earned')).toBeVisible();
    expect(drawer.getByText('Ordered')).toBeVisible();
    expect(drawer.getByText('Paid, and what it brings was handed over')).toBeVisible();
    expect(drawer.getByRole('button', { name: 'Refund: 100 DCU' })).toBeVisible();
  });

  it('tells a refund that the provider refused from one that came through', async () => {
    const refund = { refundId: 'r1', reason: 'MEMBER', amountFen: 5_000, withdrawnDcu: 50, createdAt: '2026-11-21T09:00:00.000Z' };
    const step = { reason: '', actor: 'provider', evidence: {} };
    open(
      {
        [FIND]: success(
          buildPaidOrder({
            refunds: [{ ...refund, reason: 'MEMBER', state: 'FAILED', endedAt: '2026-11-21T09:01:00.000Z' }],
            timeline: [
              { ...step, at: '2026-11-21T09:00:00.000Z', from: 'FULFILLED', to: 'REFUNDING', actor: 'member' },
              { ...step, at: '2026-11-21T09:01:00.000Z', from: 'REFUNDING', to: 'FULFILLED', actor: 'provider' },
            ],
          }),
        ),
      },
      '?order=o2',
    );

    expect(await screen.findByText('Refused by the provider · 50 DCU given up')).toBeVisible();
    expect(screen.getByText('You asked for a refund; what was unused was taken back')).toBeVisible();
    expect(screen.getByText('The refund did not go through; everything taken back is yours again')).toBeVisible();
  });

  it('opens from the list and leaves the filters in the URL alone', async () => {
    const { user } = open({}, '?kind=SKU');

    await user.click(await screen.findByRole('button', { name: '50 DCU × 2' }));
    expect(place()).toBe(`${at}?kind=SKU&order=o2`);
    await user.click(within(await screen.findByRole('dialog', { name: 'Order' })).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(place()).toBe(`${at}?kind=SKU`));
  });

  it('says so where there is no such order', async () => {
    open({ [FIND]: refusal(20004, 'Not found.', { status: 404 }) }, '?order=of-somebody');

    expect(await screen.findByText('There is no such order among yours.')).toBeVisible();
  });
});

describe('giving an order back', () => {
  const ask = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(await screen.findByRole('button', { name: 'Refund: 50 DCU' }));
    return within(await screen.findByRole('dialog', { name: 'Give back 50 DCU?' }));
  };

  it('shows what comes back and what goes before anything is asked for', async () => {
    const { user, bodiesOf } = open({ [QUOTE]: success(quote) });
    const dialog = await ask(user);

    expect(await dialog.findByText('¥73.50 to where you paid from')).toBeVisible();
    const lines = dialog.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(lines).toEqual([
      '¥73.50 to where you paid from',
      '300 points you paid with',
      'Your coupon',
      '73.5 DCU that you have not used',
      '73 points the order earned',
    ]);
    expect(dialog.getByText(/¥0\.27 less comes back/)).toBeVisible();
    expect(bodiesOf(REFUND)).toHaveLength(0);
  });

  it('says what of an earlier order is lost with an upgrade before it is given back', async () => {
    const { user } = open({ [QUOTE]: success({ ...quote, endsPackage: true, forfeitedFen: 250_000 }) });
    const dialog = await ask(user);

    expect(await dialog.findByText(/unused time worth ¥2,500\.00, paid with the earlier order, is lost/)).toBeVisible();
  });

  it('asks for exactly what was seen, with the reason given', async () => {
    const { user, made, bodiesOf } = open({ [QUOTE]: success(quote), [REFUND]: success(buildPaidOrder({ state: 'REFUNDING' })) });
    const dialog = await ask(user);
    await user.type(await dialog.findByLabelText('Why (optional)'), ' Bought twice ');
    await user.click(dialog.getByRole('button', { name: 'Give back for ¥73.50' }));

    expect(await screen.findByText('The refund is on its way.')).toBeVisible();
    expect(bodiesOf(REFUND)).toEqual([{ orderId: 'o2', expectedRefundFen: 7_350, reason: 'Bought twice' }]);
    expect(made.find(({ key }) => key === REFUND)?.headers['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('shows the new figures when they changed, and asks again only on request', async () => {
    const answerRefund = ({ body }: MadeCall) =>
      (body as { expectedRefundFen: number }).expectedRefundFen === 7_000
        ? success(buildPaidOrder({ state: 'REFUNDING' }))
        : refusal(30002, 'It brings back something else now.', { data: { refundFen: 7_000 } });
    let seen = 0;
    const { user, bodiesOf } = open({
      [QUOTE]: () => {
        seen += 1;
        return success(seen === 1 ? quote : { ...quote, refundFen: 7_000 });
      },
      [REFUND]: answerRefund,
    });
    const dialog = await ask(user);
    await user.click(await dialog.findByRole('button', { name: 'Give back for ¥73.50' }));

    expect(await dialog.findByText(/has changed since you looked/)).toBeVisible();
    const again = await dialog.findByRole('button', { name: 'Give back for ¥70.00' });
    expect(bodiesOf(REFUND)).toHaveLength(1);
    await user.click(again);
    await waitFor(() => expect(bodiesOf(REFUND)).toHaveLength(2));
  });

  it('cannot be asked for where nothing is left', async () => {
    const { user } = open({ [QUOTE]: success({ ...quote, isPossible: false, refundFen: 0 }) });
    const dialog = await ask(user);

    expect(await dialog.findByText(/Nothing of this order can be given back now/)).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Give back' })).toBeDisabled();
  });

  it.each([
    ['CREDIT_RESERVED', /An upgrade you have not paid yet counts on .* Pay or cancel that order first/],
    ['PACKAGE_OVER', /This package is over/],
    ['HELD_BY_LABS', /promised to labs that run/],
    ['NOTHING_LEFT', /would bring you nothing/],
  ])('says why nothing can be given back: %s', async (cause, words) => {
    const { user } = open({ [QUOTE]: success({ ...quote, isPossible: false, cause, refundFen: 0 }) });
    const dialog = await ask(user);

    expect(await dialog.findByText(words)).toBeVisible();
  });
});
