import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answer, answerCalls, type MadeCall, refusal, success } from '@/testing/gateway';
import { buildOffered, buildOrder, buildQuote, moneyAnswers, packageBrings } from '@/testing/orders';
import { renderPage } from '@/testing/renderPage';
import CheckoutPage from './index';

const at = '/main/personalCenter/costCenter/checkout';
const PREVIEW = 'POST /gateway/order/previewSku';
const ESTIMATE = 'POST /gateway/order/estimateSkuPrice';
const PLACE = 'POST /gateway/order/placeSku';
const ten = buildOffered();
const dear = buildOffered(
  { couponId: 'dear', title: '¥30 off ¥200', minimumFen: 20_000 },
  { isUsable: false, reason: 'BELOW_MINIMUM', discountFen: 0 },
);
/** The best coupon is counted, and points could be used. */
const best = buildQuote({
  couponDiscountFen: 1_000,
  payableFen: 9_000,
  coupons: [ten, dear],
  couponId: 'welcome',
  points: { used: 0, available: 300, most: 300, fenPerPoint: 1 },
});

function open(answers: Parameters<typeof moneyAnswers>[0], search = '?sku=dcu-100') {
  const made = answerCalls(moneyAnswers({ [PREVIEW]: success(best), ...answers }));
  renderPage(<CheckoutPage />, { at: `${at}${search}`, route: at });
  return {
    made,
    user: userEvent.setup(),
    bodiesOf: (key: string) => made.filter((call) => call.key === key).map(({ body }) => body),
  };
}

const price = () => screen.findByRole('complementary', { name: 'Price' });
const place = () => screen.getByTestId('place').textContent;
const placeButton = () => screen.findByRole('button', { name: /^Place order and pay/ });

describe('choosing what to buy', () => {
  it('shows what it brings and the price in its order, the best coupon counted', async () => {
    open({});

    const summary = within(await price());
    expect(await summary.findByText('100 DCU × 1')).toBeVisible();
    expect(summary.getByText('5 DCU as a bonus')).toBeVisible();
    const parts = summary.getAllByRole('term').map((term) => term.textContent);
    expect(parts).toEqual(['List price', 'Coupon¥10 off ¥50', 'To pay']);
    expect(summary.getByText('−¥10.00')).toBeVisible();
    expect(screen.getByRole('radio', { name: '¥10 off ¥50' })).toBeChecked();
    expect(screen.getByRole('button', { name: 'Place order and pay ¥90.00' })).toBeEnabled();
  });

  it('says of each coupon that does not fit why it does not', async () => {
    open({});

    const option = await screen.findByRole('radio', { name: '¥30 off ¥200' });
    expect(option).toBeDisabled();
    expect(option).toHaveAccessibleDescription(/It is for orders of ¥200 or more/);
  });

  it('asks anew without coupon when the member wants none', async () => {
    const { user, bodiesOf } = open({ [ESTIMATE]: success(buildQuote({ coupons: [ten] })) });

    await user.click(await screen.findByRole('radio', { name: 'No coupon' }));

    expect(await screen.findByRole('button', { name: 'Place order and pay ¥100.00' })).toBeEnabled();
    expect(bodiesOf(ESTIMATE)).toEqual([{ skuId: 'dcu-100', quantity: 1, couponId: null, points: 0 }]);
  });

  it('uses all points the order takes on request', async () => {
    const { user, bodiesOf } = open({
      [ESTIMATE]: success({ ...best, pointsDiscountFen: 300, payableFen: 8_700, points: { ...best.points, used: 300 } }),
    });

    await user.click(await screen.findByRole('button', { name: 'Use most' }));

    expect(await screen.findByRole('button', { name: 'Place order and pay ¥87.00' })).toBeEnabled();
    expect(bodiesOf(ESTIMATE)).toEqual([{ skuId: 'dcu-100', quantity: 1, couponId: 'welcome', points: 300 }]);
    expect(screen.getByRole('spinbutton', { name: 'Points to use' })).toHaveValue('300');
  });

  it('keeps the old price, marked and not to be ordered, until the new one is there', async () => {
    let answer: (later: Answer) => void = () => undefined;
    const { user } = open({ [ESTIMATE]: () => new Promise<Answer>((resolve) => (answer = resolve)) });
    await user.click(await screen.findByRole('radio', { name: 'No coupon' }));

    const summary = await price();
    expect(await within(summary).findByText('The price is being worked out anew …')).toBeVisible();
    expect(within(summary).getByText('¥90.00')).toBeVisible();
    expect(within(summary).getByRole('button', { name: /^Place order/ })).toBeDisabled();

    await waitFor(() => expect(answer.length).toBe(1));
    await act(async () => answer(success(buildQuote())));
    expect(await screen.findByRole('button', { name: 'Place order and pay ¥100.00' })).toBeEnabled();
  });

  it('never lets a late answer to an older choice replace a newer one', async () => {
    const answers: ((late: Answer) => void)[] = [];
    const { user } = open({ [PREVIEW]: () => new Promise<Answer>((resolve) => answers.push(resolve)) });
    await waitFor(() => expect(answers).toHaveLength(1));
    await act(async () => answers[0]?.(success(best)));
    await screen.findByText('100 DCU × 1');

    const more = await screen.findByRole('button', { name: 'One more' });
    await user.click(more);
    await waitFor(() => expect(answers).toHaveLength(2));
    await user.click(more);
    await waitFor(() => expect(answers).toHaveLength(3));
    const line = { ...best.lines[0], title: '100 DCU', quantity: 3 };
    await act(async () => answers[2]?.(success({ ...best, payableFen: 29_000, lines: [line] })));
    await act(async () => answers[1]?.(success({ ...best, payableFen: 19_000 })));

    expect(await screen.findByRole('button', { name: 'Place order and pay ¥290.00' })).toBeEnabled();
    expect(place()).toBe(`${at}?sku=dcu-100&quantity=3`);
  });

  it('offers the packs on sale when none is named, sold-out ones not to be chosen', async () => {
    const { user } = open({}, '');
    expect(await screen.findByText('Choose a pack to see what it costs you.')).toBeVisible();
    expect(await screen.findByRole('radio', { name: /Starter/ })).toBeDisabled();

    await user.click(screen.getByRole('radio', { name: /100 DCU/ }));

    expect(place()).toBe(`${at}?sku=dcu-100`);
    expect(await placeButton()).toBeEnabled();
  });

  it('says what a package does to the present one, and changes its months in the URL', async () => {
    const line = { ...buildQuote(), title: 'Pro', quantity: 1 };
    const quote = buildQuote({ brings: packageBrings, lines: [line], upgradeCreditFen: 700, payableFen: 9_200 });
    const { user } = open({ 'POST /gateway/order/previewPackage': success(quote) }, '?package=pro');

    const summary = within(await price());
    expect(await summary.findByText(/^Pro: replaces your present package when it is paid/)).toBeVisible();
    expect(summary.getByText('100 DCU the first month, then 120 each month')).toBeVisible();
    expect(summary.getByText('Credit for your present package')).toBeVisible();
    await user.click(screen.getByRole('combobox', { name: 'For how long' }));
    await user.click(await screen.findByTitle('3 months'));
    expect(place()).toBe(`${at}?package=pro&months=3`);
  });

  it('leads to the verification where a real name is needed, and orders nothing', async () => {
    open({ [PREVIEW]: success({ ...best, needsRealName: true }) });

    expect(await screen.findByRole('link', { name: 'Verify my real name' })).toHaveAttribute(
      'href',
      '/main/personalCenter/accountSettings',
    );
    expect(await placeButton()).toBeDisabled();
  });

  it('says what is wrong when there is no price, and tries again on request', async () => {
    let isUp = false;
    const { user } = open({ [PREVIEW]: () => (isUp ? success(best) : refusal(50003, 'The service rests.', { status: 503 })) });
    const alert = within(await screen.findByRole('alert'));
    expect(alert.getByText('The service rests.')).toBeVisible();

    isUp = true;
    await user.click(alert.getByRole('button', { name: 'Try again' }));

    expect(await placeButton()).toBeEnabled();
  });
});

describe('placing the order', () => {
  const agreed = { skuId: 'dcu-100', quantity: 1, couponId: 'welcome', points: 0, expectedPayableFen: 9_000, priceVersion: 1 };

  it('orders what was seen, under one key, and leads to paying it', async () => {
    const { user, made, bodiesOf } = open({ [PLACE]: success(buildOrder()) });

    await user.click(await placeButton());

    await waitFor(() => expect(place()).toBe(`${at}?order=o1`));
    expect(bodiesOf(PLACE)).toEqual([agreed]);
    expect(made.find(({ key }) => key === PLACE)?.headers['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('goes straight to the end where nothing is left to pay', async () => {
    const { user } = open({
      [PREVIEW]: success({ ...best, payableFen: 0 }),
      [PLACE]: success(buildOrder({ state: 'FULFILLED', payableFen: 0 })),
    });

    await user.click(await screen.findByRole('button', { name: 'Get it for nothing' }));

    await waitFor(() => expect(place()).toBe('/success?order=o1'));
  });

  it('shows both amounts when the price has changed, and orders at the new one only after a yes', async () => {
    const changed = refusal(30002, 'The price changed.', { data: { payableFen: 9_500, priceVersion: 2 } });
    const accepts = ({ body }: MadeCall) =>
      (body as { priceVersion: number }).priceVersion === 2 ? success(buildOrder()) : changed;
    const { user, bodiesOf, made } = open({ [PLACE]: accepts });

    await user.click(await placeButton());
    const dialog = await screen.findByRole('dialog', { name: 'The price has changed' });
    expect(dialog).toHaveTextContent('You saw ¥90.00. It now comes to ¥95.00.');
    expect(bodiesOf(PLACE)).toHaveLength(1);

    await user.click(within(dialog).getByRole('button', { name: 'Order for ¥95.00' }));
    await waitFor(() => expect(place()).toBe(`${at}?order=o1`));
    expect(bodiesOf(PLACE)[1]).toEqual({ ...agreed, expectedPayableFen: 9_500, priceVersion: 2 });
    const keys = made.filter(({ key }) => key === PLACE).map(({ headers }) => headers['Idempotency-Key']);
    expect(new Set(keys).size).toBe(2);
  });

  it('orders nothing when the member thinks better of the new price', async () => {
    const { user, bodiesOf } = open({
      [PLACE]: refusal(30002, 'The price changed.', { data: { payableFen: 9_500, priceVersion: 2 } }),
    });
    await user.click(await placeButton());
    await user.click(await screen.findByRole('button', { name: 'Look again' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(bodiesOf(PLACE)).toHaveLength(1);
    expect(place()).toBe(`${at}?sku=dcu-100`);
  });

  it('sends the same key again after no answer', async () => {
    let attempts = 0;
    const { user, made } = open({
      [PLACE]: () => {
        attempts += 1;
        return attempts === 1 ? { status: 502, body: 'bad gateway' } : success(buildOrder());
      },
    });
    await user.click(await placeButton());
    expect(await screen.findByText('The order was not placed')).toBeVisible();

    await waitFor(async () => expect(await placeButton()).toBeEnabled());
    await user.click(await placeButton());

    await waitFor(() => expect(place()).toBe(`${at}?order=o1`));
    const [first, second] = made.filter(({ key }) => key === PLACE).map(({ headers }) => headers['Idempotency-Key']);
    expect(second).toBe(first);
  });

  it('leads to the unpaid orders when there are too many', async () => {
    const { user } = open({ [PLACE]: refusal(30003, 'You have five unpaid orders.') });

    await user.click(await placeButton());

    expect(await screen.findByRole('link', { name: 'See unpaid orders' })).toHaveAttribute(
      'href',
      '/main/personalCenter/costCenter/order?state=PENDING',
    );
  });
});
