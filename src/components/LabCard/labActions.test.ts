import { canDo, workshopStates } from '../../../gateway/contract/workshopStates';
import { actionWord, isAllowed, menuActionsOf, primaryActionOf } from './labActions';

describe('the buttons of a lab', () => {
  it.each(workshopStates)('in %s offer only what the action table allows', (state) => {
    const primary = primaryActionOf(state);
    const offered = [...(primary ? [primary] : []), ...menuActionsOf(state)];

    expect(offered.every((action) => isAllowed(state, action))).toBe(true);
    expect(new Set(offered).size).toBe(offered.length);
  });

  it.each(workshopStates)('in %s leave nothing out that can be stopped, started or deleted', (state) => {
    const offered = [primaryActionOf(state), ...menuActionsOf(state)];

    for (const action of ['start', 'stop', 'delete'] as const) expect(offered.includes(action)).toBe(canDo(state, action));
  });

  it('put first what a member most likely wants', () => {
    expect(primaryActionOf('STOPPED')).toBe('start');
    expect(primaryActionOf('RUNNING')).toBe('openTerminal');
    expect(primaryActionOf('STARTING')).toBe('stop');
    expect(primaryActionOf('LOST')).toBe('stop');
    expect(primaryActionOf('STOPPING')).toBe('forceStop');
    expect(primaryActionOf('DELETED')).toBeNull();
  });

  it('stop at once only what runs or does not stop', () => {
    expect(menuActionsOf('RUNNING')).toEqual(['extend', 'rename', 'change', 'saveImage', 'stop', 'forceStop']);
    expect(menuActionsOf('STARTING')).not.toContain('forceStop');
  });

  it('name an action by what it does in this state', () => {
    expect(actionWord('stop', 'QUEUED')).toBe('workshop.action.cancelStart');
    expect(actionWord('stop', 'RUNNING')).toBe('workshop.action.stop');
    expect(actionWord('start', 'FAILED')).toBe('workshop.action.startAgain');
    expect(actionWord('delete', 'DELETING')).toBe('workshop.action.deleteAgain');
  });
});
