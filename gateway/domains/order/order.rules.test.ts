import { orderActions, orderStates, orderTransitions } from '../../contract/orderStates';
import { canMove, orderNoOf, requireAction, requireMayCustomise, requireMayPlace, requireSeen } from './order.rules';

const refusalOf = (work: () => void) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

describe('the state machine of orders', () => {
  it.each(orderStates.flatMap((from) => orderStates.map((to) => [from, to] as const)))(
    'knows whether %s may become %s',
    (from, to) => {
      expect(canMove(from, to)).toBe(orderTransitions[from].includes(to));
    },
  );

  it.each(orderStates)('offers in %s only what can lead somewhere', (state) => {
    const allowed = orderActions.filter((action) => refusalOf(() => requireAction(state, action)) === null);

    expect(allowed.length > 0).toBe(orderTransitions[state].length > 0 && state !== 'REFUNDING');
  });

  it('refuses with what was asked in which state', () => {
    expect(refusalOf(() => requireAction('EXPIRED', 'cancel'))).toMatchObject({
      error: 'ORDER_STATE_CONFLICT',
      options: { data: { state: 'EXPIRED', action: 'cancel' } },
    });
  });
});

describe('an order’s number', () => {
  it('is the second in the billing time zone and six digits', () => {
    expect(orderNoOf(new Date('2031-12-31T16:00:07.999Z'), 42)).toBe('20320101000007000042');
    expect(orderNoOf(new Date('2031-03-01T15:59:59Z'), 999_999)).toBe('20310301235959999999');
  });
});

describe('placing', () => {
  const buyer = { isRealName: false, pendingOrders: 0 };

  it('needs a real name above 2,000 yuan, not at it', () => {
    expect(refusalOf(() => requireMayPlace(buyer, 200_000n))).toBeNull();
    expect(refusalOf(() => requireMayPlace(buyer, 200_001n))).toMatchObject({
      error: 'REAL_NAME_REQUIRED',
      options: { data: { cause: 'LARGE_PAYMENT' } },
    });
    expect(refusalOf(() => requireMayPlace({ ...buyer, isRealName: true }, 200_001n))).toBeNull();
  });

  it('needs a real name for a package of one’s own measure', () => {
    expect(refusalOf(() => requireMayCustomise({ isRealName: true }))).toBeNull();
    expect(refusalOf(() => requireMayCustomise(buyer))).toMatchObject({ options: { data: { cause: 'CUSTOM_PACKAGE' } } });
  });

  it('stops at five that wait to be paid, unless nothing is to pay', () => {
    expect(refusalOf(() => requireMayPlace({ ...buyer, pendingOrders: 4 }, 1n))).toBeNull();
    expect(refusalOf(() => requireMayPlace({ ...buyer, pendingOrders: 5 }, 1n))).toMatchObject({
      error: 'TOO_MANY_PENDING_ORDERS',
    });
    expect(refusalOf(() => requireMayPlace({ ...buyer, pendingOrders: 5 }, 0n))).toBeNull();
  });

  it.each([
    [{ expectedPayableFen: 100, priceVersion: 1 }, false],
    [{ expectedPayableFen: 99, priceVersion: 1 }, true],
    [{ expectedPayableFen: 101, priceVersion: 1 }, true],
    [{ expectedPayableFen: 100, priceVersion: 2 }, true],
  ])('of what was seen as %j is refused: %s', (seen, isRefused) => {
    const refusal = refusalOf(() => requireSeen(seen, { payableFen: 100n, priceVersion: 1 }));

    if (isRefused)
      expect(refusal).toMatchObject({ error: 'PRICE_CHANGED', options: { data: { payableFen: 100, priceVersion: 1 } } });
    else expect(refusal).toBeNull();
  });
});
