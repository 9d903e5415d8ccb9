import type { Word } from '@/utils/words';
import { canDo, type WorkshopAction, type WorkshopState } from '../../../gateway/contract/workshopStates';

/** `keep` counts the time without use anew; `extend` asks for how long. */
export type LabAction =
  | 'openTerminal'
  | 'start'
  | 'stop'
  | 'forceStop'
  | 'extend'
  | 'keep'
  | 'rename'
  | 'change'
  | 'saveImage'
  | 'delete';

/** What each button asks of the action table that the gateway follows, too. */
const needs: Readonly<Record<LabAction, WorkshopAction>> = {
  openTerminal: 'openTerminal',
  start: 'start',
  stop: 'stop',
  forceStop: 'forceStop',
  extend: 'extend',
  keep: 'extend',
  rename: 'update',
  change: 'update',
  saveImage: 'saveImage',
  delete: 'delete',
};

export function isAllowed(state: WorkshopState, action: LabAction): boolean {
  return canDo(state, needs[action]);
}

/** The one thing a member most likely wants in this state; null while there is nothing to do but wait. */
export function primaryActionOf(state: WorkshopState): LabAction | null {
  const wanted: readonly LabAction[] = ['openTerminal', 'start', 'stop', 'forceStop', 'delete'];
  return wanted.find((action) => isAllowed(state, action)) ?? null;
}

/** Everything else the state allows, in the order of the menu. */
export function menuActionsOf(state: WorkshopState): LabAction[] {
  // What does not run yet has nothing to be spared: cancelling its start is the same.
  const force: readonly LabAction[] = state === 'RUNNING' ? ['forceStop'] : [];
  const offered: readonly LabAction[] = ['start', 'extend', 'rename', 'change', 'saveImage', 'stop', ...force, 'delete'];
  const primary = primaryActionOf(state);
  return offered.filter((action) => action !== primary && isAllowed(state, action));
}

/** The words of an action, which depend on what the lab is doing. */
export function actionWord(action: LabAction, state: WorkshopState): Word {
  if (action === 'start' && state === 'FAILED') return 'workshop.action.startAgain';
  if (action === 'stop' && (state === 'QUEUED' || state === 'PULLING' || state === 'STARTING'))
    return 'workshop.action.cancelStart';
  if (action === 'delete' && state === 'DELETING') return 'workshop.action.deleteAgain';
  return action === 'rename' ? 'workshop.action.update' : `workshop.action.${action}`;
}
