import { type MembershipPeriod, rightsAt } from './membership.rules';

const at = (day: number) => new Date(Date.UTC(2026, 2, day));

function period(from: number, to: number, levelFlag = 1, packageName = 'Standard'): MembershipPeriod {
  return { packageName, levelFlag, startsAt: at(from), endsAt: at(to), ceilings: null };
}

const none = { packageName: '', levelFlag: 0, memberExpirationDate: '' };

describe('the rights of a member', () => {
  it.each([
    ['no period', [], none],
    ['a period to come', [period(12, 20)], none],
    ['a period that ends at this instant', [period(1, 10)], none],
    ['a period at level 0', [period(1, 20, 0)], none],
    [
      'a period that begins at this instant',
      [period(10, 20)],
      { packageName: 'Standard', levelFlag: 1, memberExpirationDate: at(20).toISOString() },
    ],
    [
      'a period that was renewed twice',
      [period(1, 20), period(20, 25), period(25, 30)],
      { packageName: 'Standard', levelFlag: 1, memberExpirationDate: at(30).toISOString() },
    ],
    [
      'a period another package follows',
      [period(1, 20, 2, 'Pro'), period(20, 30)],
      { packageName: 'Pro', levelFlag: 2, memberExpirationDate: at(20).toISOString() },
    ],
    [
      'a period after a gap',
      [period(1, 20), period(21, 30)],
      { packageName: 'Standard', levelFlag: 1, memberExpirationDate: at(20).toISOString() },
    ],
  ])('with %s are those of that day', (_what, periods, rights) => {
    expect(rightsAt(at(10), periods)).toMatchObject(rights);
  });
});
