import { reservedDcu } from './reservedDcu';

describe('what is set aside', () => {
  it('makes up the balance together with what is available, whatever is held for use not settled yet', () => {
    expect(reservedDcu({ remainDcu: 9.95, availableDcu: 9.9 })).toBe(0.05);
    expect(reservedDcu({ remainDcu: 0.3, availableDcu: 0.1 })).toBe(0.2);
  });

  it('is never below zero', () => {
    expect(reservedDcu({ remainDcu: 1, availableDcu: 1.000001 })).toBe(0);
  });
});
