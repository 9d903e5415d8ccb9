import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerCalls, refusal, success } from '@/testing/gateway';
import { buildOrder, buildPayment, buildRepayable, moneyAnswers } from '@/testing/orders';
import { renderPage } from '@/testing/renderPage';
import CheckoutPage from './index';

const at = '/main/personalCenter/costCenter/checkout';
const REPAY = 'GET /gateway/order/repayFind';
const FIND = 'GET /gateway/order/find';
const PAY = 'POST /gateway/order/payPending';
const CANCEL = 'POST /gateway/order/cancel';
const paying = buildRepayable({ payment: buildPayment() });

function open(answers: Parameters<typeof moneyAnswers>[0]) {
  const made = answerCalls(moneyAnswers({ [REPAY]: success(buildRepayable()), [FIND]: success(buildOrder()), ...answers }));
  renderPage(<CheckoutPage />, { at: `${at}?order=o1`, route: at });
  return { made, user: userEvent.setup(), countOf: (key: string) => made.filter((call) => call.key === key).length };
}

const place = () => screen.getByTestId('place').textContent;

describe('paying an order', () => {
  it('opens the only way to pay by itself, once, and shows its QR code and cashier with the time that is left', async () => {
    let isOpen = false;
    const { made, countOf } = open({
      [REPAY]: () => success(isOpen ? paying : buildRepayable()),
      [PAY]: () => {
        isOpen = true;
        return success(buildPayment());
      },
    });

    expect(await screen.findByRole('img', { name: 'QR code to pay ¥100.00' })).toBeVisible();
    const cashier = screen.getByRole('link', { name: 'Open the cashier' });
    expect(cashier).toHaveAttribute('href', 'https://pay.test/cashier/1');
    expect(cashier).toHaveAttribute('rel', 'noopener');
    expect(screen.getByRole('timer')).toBeVisible();
    expect(screen.getByText('For trying out: no real money moves')).toBeVisible();
    expect(await screen.findByText('100 DCU × 1')).toBeVisible();
    expect(countOf(PAY)).toBe(1);
    expect(made.find(({ key }) => key === PAY)?.body).toEqual({ orderId: 'o1', method: 'sandbox' });
  });

  it('finds the attempt still open after a reload and starts no other', async () => {
    const { countOf } = open({ [REPAY]: success(paying), [FIND]: success(buildOrder({ payments: [buildPayment()] })) });

    expect(await screen.findByRole('img', { name: /QR code/ })).toBeVisible();
    expect(await screen.findByText('100 DCU × 1')).toBeVisible();
    expect(countOf(PAY)).toBe(0);
  });

  it('lets the member choose where there are several ways', async () => {
    const methods = ['alipay', 'wechat'].map((method) => ({ method, name: method, isSandbox: false }));
    const { user, made } = open({ [REPAY]: success(buildRepayable({ methods })), [PAY]: success(buildPayment()) });

    await user.click(await screen.findByRole('radio', { name: 'wechat' }));
    await user.click(screen.getByRole('button', { name: 'Pay ¥100.00' }));

    await waitFor(() => expect(made.find(({ key }) => key === PAY)?.body).toEqual({ orderId: 'o1', method: 'wechat' }));
    expect(screen.queryByText(/no real money/)).not.toBeInTheDocument();
  });

  it('says that a payment failed, takes no new one by itself, and tries again on request', async () => {
    const failed = buildOrder({ payments: [buildPayment({ state: 'FAILED' })] });
    const { user, countOf } = open({ [FIND]: success(failed), [PAY]: success(buildPayment()) });

    expect(await screen.findByText('The payment did not go through')).toBeVisible();
    expect(countOf(PAY)).toBe(0);
    await user.click(screen.getByRole('button', { name: 'Pay again' }));
    await waitFor(() => expect(countOf(PAY)).toBe(1));
  });

  it('says why no payment could be started, and tries again only on request', async () => {
    const { user, countOf } = open({ [PAY]: refusal(30012, 'The provider does not answer.', { status: 503 }) });

    expect(await screen.findByText('The provider does not answer.')).toBeVisible();
    expect(countOf(PAY)).toBe(1);
    await user.click(screen.getByRole('button', { name: 'Pay again' }));
    await waitFor(() => expect(countOf(PAY)).toBe(2));
  });

  it('never links to anything but a web page', async () => {
    const payment = buildPayment({ redirectUrl: 'javascript:alert(1)' });
    open({ [REPAY]: success(buildRepayable({ payment })) });

    expect(await screen.findByRole('img', { name: /QR code/ })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Open the cashier' })).not.toBeInTheDocument();
  });

  it('cancels after asking, and says how the order stands then', async () => {
    let isCancelled = false;
    const { user } = open({
      [REPAY]: () => success(isCancelled ? buildRepayable({ state: 'CANCELLED' }) : paying),
      [CANCEL]: () => {
        isCancelled = true;
        return success(buildOrder({ state: 'CANCELLED' }));
      },
    });
    const ask = await screen.findByRole('button', { name: 'Cancel order' });
    await waitFor(() => expect(ask).toBeEnabled());
    await user.click(ask);
    const dialog = await screen.findByRole('dialog', { name: 'Cancel the order for 100 DCU?' });
    expect(dialog).toHaveTextContent('The coupon and points kept for it come back to you.');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel order' }));

    expect(await screen.findByText('This order was cancelled')).toBeVisible();
  });

  it('goes to the end of an order that was paid meanwhile', async () => {
    open({ [REPAY]: success(buildRepayable({ state: 'FULFILLED' })) });

    await waitFor(() => expect(place()).toBe('/success?order=o1'));
  });

  it.each([
    ['EXPIRED', 'This order was not paid in time'],
    ['REFUNDED', 'This order needs no payment'],
  ] as const)('has nothing to pay when the order is %s', async (state, words) => {
    open({ [REPAY]: success(buildRepayable({ state })) });

    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
  });

  it('is friendly about an order that is not there', async () => {
    open({ [REPAY]: refusal(20004, 'Not found.', { status: 404 }) });

    expect(await screen.findByText('There is no such order')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See my orders' })).toBeVisible();
  });
});

describe('waiting for the payment', () => {
  const setVisibility = (state: DocumentVisibilityState) =>
    act(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
      document.dispatchEvent(new Event('visibilitychange'));
    });

  beforeEach(() => jest.useFakeTimers({ now: new Date('2026-11-21T08:10:00.000Z') }));
  afterEach(() => {
    setVisibility('visible');
    jest.useRealTimers();
  });

  it('asks every two seconds, not in a hidden tab, and leads on when it is paid', async () => {
    let isPaid = false;
    const { countOf } = open({
      [REPAY]: () => success(isPaid ? buildRepayable({ state: 'FULFILLED' }) : paying),
      [FIND]: success(buildOrder({ payments: [buildPayment()] })),
    });
    await act(() => jest.advanceTimersByTimeAsync(500));
    const before = countOf(REPAY);
    for (let second = 0; second < 20; second += 1) await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect(countOf(REPAY) - before).toBeGreaterThanOrEqual(6);
    expect(countOf(REPAY) - before).toBeLessThanOrEqual(10);

    setVisibility('hidden');
    const hidden = countOf(REPAY);
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    expect(countOf(REPAY)).toBe(hidden);

    isPaid = true;
    setVisibility('visible');
    await act(() => jest.advanceTimersByTimeAsync(2_100));
    expect(place()).toBe('/success?order=o1');
  });

  it('says that the time is over and waits for the gateway to close the order', async () => {
    const late = { ...paying, payUntil: '2026-11-21T08:10:03.000Z' };
    let isClosed = false;
    open({ [REPAY]: () => success(isClosed ? { ...late, state: 'EXPIRED', payment: null } : late) });
    await act(() => jest.advanceTimersByTimeAsync(4_000));
    expect(screen.getByText('The time to pay is over; the order is being closed.')).toBeInTheDocument();
    expect(screen.queryByRole('img', { name: /QR code/ })).not.toBeInTheDocument();

    isClosed = true;
    await act(() => jest.advanceTimersByTimeAsync(2_100));
    expect(screen.getByText('This order was not paid in time')).toBeInTheDocument();
  });
});
