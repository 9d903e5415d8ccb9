import access from './access';
import { emptyUser } from './utils/emptyUser';

const member = { ...emptyUser, userId: 'm1', userName: 'lin' };

describe('access', () => {
  it.each([
    ['no state at all', undefined],
    ['the empty user', { currentUser: emptyUser }],
    // Flags without an identity are worth nothing.
    ['flags of nobody', { currentUser: { ...emptyUser, isStudent: true, isRealName: true, levelFlag: 3 } }],
  ])('permits nothing with %s', (_, state) => {
    const { canUseCpuCores, canSpendPerHour, levelFlag, ...flags } = access(state);

    expect(Object.values(flags)).toEqual(Object.values(flags).map(() => false));
    expect([canUseCpuCores(1), canSpendPerHour(0.1), levelFlag]).toEqual([false, false, 0]);
  });

  it('permits a member at level 0 one lab of two cores', () => {
    const rights = access({ currentUser: member });

    expect(rights).toMatchObject({ isSignedIn: true, canRunLabs: true, canRunSeveralLabs: false, isStudent: false });
    expect([rights.canUseCpuCores(2), rights.canUseCpuCores(4)]).toEqual([true, false]);
    expect([rights.canSpendPerHour(2), rights.canSpendPerHour(2.1)]).toEqual([true, false]);
  });

  it.each([
    [1, 8],
    [2, 32],
    [3, 64],
  ])('permits level %d up to %d cores', (levelFlag, cores) => {
    const rights = access({ currentUser: { ...member, levelFlag } });

    expect([rights.canUseCpuCores(cores), rights.canUseCpuCores(cores + 1)]).toEqual([true, false]);
    expect(rights.canRunSeveralLabs).toBe(true);
  });

  it('treats a level nobody knows as level 0', () => {
    expect(access({ currentUser: { ...member, levelFlag: 9 } }).canUseCpuCores(4)).toBe(false);
  });

  it('knows students and verified members', () => {
    expect(access({ currentUser: { ...member, isStudent: true } })).toMatchObject({ isStudent: true, canSeeStudentPrices: true });
    expect(access({ currentUser: { ...member, isRealName: true } })).toMatchObject({
      isRealName: true,
      canPublish: true,
      canUseNetworkInLabs: true,
      canCustomisePackage: true,
    });
  });
});
