import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildOverview } from '@/testing/builders';
import { answerCalls, refusal, success } from '@/testing/gateway';
import { buildOrder, buildPaidOrder, moneyAnswers, packageBrings } from '@/testing/orders';
import { renderPage } from '@/testing/renderPage';
import SuccessPage from './index';

const FIND = 'GET /gateway/order/find';

function open(search: string, answers: Parameters<typeof moneyAnswers>[0] = {}) {
  const made = answerCalls(moneyAnswers({ [FIND]: success(buildPaidOrder()), ...answers }));
  renderPage(<SuccessPage />, { at: `/success${search}`, route: '/success' });
  return { made, user: userEvent.setup() };
}

const place = () => screen.getByTestId('place').textContent;
const titled = (name: string) => screen.findByRole('heading', { level: 1, name });

describe('the page after paying', () => {
  it('says what was bought, what it brought, the new balance and what next', async () => {
    const { user } = open('?order=o1', { 'GET /gateway/account/overview': success(buildOverview({ remainDcu: 114.583 })) });

    expect(await titled('Paid. Thank you!')).toBeVisible();
    expect(screen.getByText('5 DCU as a bonus')).toBeVisible();
    expect(await screen.findByText('Your balance is now 114.583 DCU')).toBeVisible();
    expect(screen.getByText('You paid ¥100.00')).toBeVisible();
    expect(screen.getByText('You earned 100 points')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Start a lab' }));
    expect(place()).toBe('/main/myLab/workshop');
  });

  it('asks who the member is again, since a package changes the level', async () => {
    const { made } = open('?order=o1', { [FIND]: success(buildPaidOrder({ brings: packageBrings })) });

    expect(await screen.findByRole('button', { name: 'See what my level allows' })).toBeVisible();
    await waitFor(() => expect(made.filter(({ key }) => key.includes('getUserBySession')).length).toBeGreaterThan(1));
  });

  it('does not call paid what is not paid, and looks again by itself', async () => {
    let isPaid = false;
    open('?order=o1', { [FIND]: () => success(isPaid ? buildPaidOrder() : buildOrder()) });

    expect(await titled('Your payment has not arrived yet')).toBeVisible();
    expect(screen.getByRole('button', { name: 'To the payment' })).toBeVisible();
    isPaid = true;
    expect(await titled('Paid. Thank you!')).toBeVisible();
  });

  it.each([
    ['CANCELLED', 'This order brought nothing'],
    ['EXPIRED', 'This order brought nothing'],
    ['REFUNDED', 'This order was given back'],
  ] as const)('says how an order stands that is %s', async (state, title) => {
    open('?order=o1', { [FIND]: success(buildPaidOrder({ state })) });

    expect(await titled(title)).toBeVisible();
  });

  it('thanks for no payment where nothing was to be paid', async () => {
    open('?order=o1', { [FIND]: success(buildPaidOrder({ payableFen: 0 })) });

    expect(await titled('It is yours')).toBeVisible();
    expect(screen.queryByText(/You paid/)).not.toBeInTheDocument();
  });

  it('is friendly about an order that is not the member’s', async () => {
    open('?order=of-somebody', { [FIND]: refusal(20004, 'Not found.', { status: 404 }) });

    expect(await titled('All is well')).toBeVisible();
  });

  it('says what could not be loaded and tries again', async () => {
    let isUp = false;
    const { user } = open('?order=o1', {
      [FIND]: () => (isUp ? success(buildPaidOrder()) : refusal(50003, 'The service rests.', { status: 503 })),
    });
    expect(await screen.findByText('The service rests.')).toBeVisible();

    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await titled('Paid. Thank you!')).toBeVisible();
  });
});

describe('the page after something else', () => {
  it.each([
    ['?what=registered', 'Your account is ready'],
    ['?what=realName', 'Your real name is verified'],
    ['?what=student', 'You are verified as a student'],
    ['?what=constructor', 'All is well'],
    ['', 'All is well'],
  ])('%s is told as "%s"', async (search, title) => {
    open(search);

    expect(await titled(title)).toBeVisible();
  });

  it('goes on to where the member was', async () => {
    const { user } = open('?what=registered&redirect=%2Fmain%2FmyLab%2Fworkshop%3Fcreate%3D1');

    await user.click(await screen.findByRole('button', { name: 'Go on where you were' }));
    expect(place()).toBe('/main/myLab/workshop?create=1');
  });

  it.each(['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)'])('never leads to %s', async (redirect) => {
    open(`?what=registered&redirect=${encodeURIComponent(redirect)}`);

    await titled('Your account is ready');
    expect(screen.queryByRole('button', { name: 'Go on where you were' })).not.toBeInTheDocument();
  });
});
