import { nameOfCopy, requireEngineNetwork, requireMayUseNetwork, requireOwnNames, wholeSetup } from './setup.rules';

describe('the settings of a run', () => {
  it.each(['PATH', 'HOME', 'LD_PRELOAD', 'LD_', 'ATELIER_X', 'BASH_ENV', 'PS1'])('refuse %s, which the lab sets itself', (name) => {
    expect(() => requireOwnNames({ FINE: '1', [name]: 'x' })).toThrow(
      expect.objectContaining({
        options: expect.objectContaining({ data: { fields: [{ field: `body.env.${name}`, message: 'reserved' }] } }),
      }),
    );
  });

  it('take names that only look like them', () => {
    expect(() => requireOwnNames({ MYPATH: '1', path: '2', WORLD_: '3', HOMES: '4' })).not.toThrow();
    expect(() => requireOwnNames(undefined)).not.toThrow();
  });

  it('allow a network to verified members on engines that have one', () => {
    expect(() => requireMayUseNetwork({ isStudent: true, isRealName: false })).toThrow('REAL_NAME_REQUIRED');
    expect(() => requireMayUseNetwork({ isStudent: false, isRealName: true })).not.toThrow();
    expect(() => requireEngineNetwork({ network: 'none' })).toThrow('ENGINE_NO_NETWORK');
    expect(() => requireEngineNetwork({ network: 'egress' })).not.toThrow();
  });

  it('are whole, also of runs from before there were some', () => {
    expect(wholeSetup({})).toEqual({ maxHours: null, idleMinutes: null, env: {}, network: 'none' });
    expect(wholeSetup({ maxHours: 2, env: { A: '1' } })).toMatchObject({ maxHours: 2, env: { A: '1' } });
  });
});

describe('the name of a copy', () => {
  it.each([
    ['Notes', [], 'Notes 2'],
    ['Notes', ['NOTES 2', 'Notes 3'], 'Notes 4'],
    ['x'.repeat(40), [], `${'x'.repeat(38)} 2`],
    [`${'x'.repeat(37)} y`, [], `${'x'.repeat(37)} 2`],
    ['👩‍🔬'.repeat(13), [], expect.stringMatching(/ 2$/)],
  ])('of %s is free and fits', (name, taken, expected) => {
    const copy = nameOfCopy(name, taken, 40);

    expect(copy).toEqual(expected);
    expect([...copy].length).toBeLessThanOrEqual(40);
  });
});
