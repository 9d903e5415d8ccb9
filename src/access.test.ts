import access, { type PermissionKey, permissionOf } from './access';
import { emptyUser } from './utils/emptyUser';

const member = { ...emptyUser, userId: 'm1', userName: 'lin' };

/** Who is asked about, by what is known of them. */
const people = {
  visitor: undefined,
  nobody: { currentUser: emptyUser },
  // Flags without an identity are worth nothing.
  flagsOfNobody: { currentUser: { ...emptyUser, isStudent: true, isRealName: true, levelFlag: 3 } },
  level0: { currentUser: member },
  level1: { currentUser: { ...member, levelFlag: 1 } },
  level2: { currentUser: { ...member, levelFlag: 2 } },
  level3: { currentUser: { ...member, levelFlag: 3 } },
  unknownLevel: { currentUser: { ...member, levelFlag: 9 } },
  student: { currentUser: { ...member, isStudent: true } },
  realName: { currentUser: { ...member, isRealName: true } },
} as const;
type Person = keyof typeof people;

const signedIn: readonly Person[] = ['level0', 'level1', 'level2', 'level3', 'unknownLevel', 'student', 'realName'];

/** The flags table of the rules, as whom each permission is given to. */
const given: Record<PermissionKey, readonly Person[]> = {
  canRunLabs: signedIn,
  canRunSeveralLabs: ['level1', 'level2', 'level3'],
  canSeeStudentPrices: ['student'],
  canJoinStudentTopics: ['student'],
  canPublishImage: ['realName'],
  canPublishDataset: ['realName'],
  canPublishTopicResult: ['realName'],
  canUseLabNetwork: ['realName'],
  canPayLargeAmount: ['realName'],
  canCustomisePackage: ['realName'],
};

describe('access', () => {
  const cases = (Object.keys(given) as PermissionKey[]).flatMap((key) =>
    (Object.keys(people) as Person[]).map((person) => [key, person, given[key].includes(person)] as const),
  );

  it.each(cases)('%s of %s is %s', (key, person, isGiven) => {
    expect(access(people[person])[key]).toBe(isGiven);
  });

  it('tells of everybody whether they are signed in, students, verified and at which level', () => {
    const told = (person: Person) => {
      const { isSignedIn, isStudent, isRealName, levelFlag } = access(people[person]);
      return [isSignedIn, isStudent, isRealName, levelFlag];
    };

    expect(told('visitor')).toEqual([false, false, false, 0]);
    expect(told('flagsOfNobody')).toEqual([false, false, false, 0]);
    expect(told('level2')).toEqual([true, false, false, 2]);
    expect(told('student')).toEqual([true, true, false, 0]);
    expect(told('realName')).toEqual([true, false, true, 0]);
  });

  it.each([
    ['visitor', 0, 0],
    ['level0', 2, 2],
    ['level1', 8, 10],
    ['level2', 32, 40],
    ['level3', 64, 100],
    ['unknownLevel', 2, 2],
  ] as const)('lets %s use %d cores and %d DCU an hour, and no more', (person, cpuCores, dcuPerHour) => {
    const { canUseCpuCores, canSpendPerHour } = access(people[person]);

    expect([cpuCores > 0 && canUseCpuCores(cpuCores), canUseCpuCores(cpuCores + 1)]).toEqual([cpuCores > 0, false]);
    expect([dcuPerHour > 0 && canSpendPerHour(dcuPerHour), canSpendPerHour(dcuPerHour + 0.1)]).toEqual([dcuPerHour > 0, false]);
  });

  it('knows which permission a route’s access key stands for', () => {
    expect(permissionOf('canPublishImage')).toBe('publishImage');
    expect(permissionOf('isSignedIn')).toBeUndefined();
    expect(permissionOf(undefined)).toBeUndefined();
  });
});
