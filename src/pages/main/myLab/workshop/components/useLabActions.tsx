import { useModel, useNavigate } from '@umijs/max';
import { message } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { isAllowed, type LabAction } from '@/components/LabCard/labActions';
import { type Lab, labPath } from '@/components/LabCard/labFacts';
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey';
import { useText } from '@/hooks/useText';
import { deleteWorkshop, extendWorkshop, startWorkshop, stopWorkshop } from '@/services/workshop';
import { isCallError } from '@/utils/callError';
import { errors } from '../../../../../../gateway/contract/errors';
import type { Question } from './LabDialogs';

const LabDialogs = lazy(() => import('./LabDialogs'));

interface LabActionOptions {
  /** The gateway's answer: the workshop as it is now. */
  onAnswer: (lab: Lab) => void;
  /** The gateway refused: what the page shows is out of date. */
  onRefused: () => void;
  /** Deletion is under way, or done: where the page showed only this workshop it leaves it. */
  onDeleted?: () => void;
}

/** Stopping what runs loses something; cancelling a start does not. */
function asksBefore(lab: Lab, action: LabAction): Question | null {
  if (action === 'rename' || action === 'extend' || action === 'forceStop' || action === 'saveImage') return action;
  if (action === 'stop') return lab.state === 'RUNNING' || lab.state === 'LOST' ? 'stop' : null;
  return action === 'delete' && lab.state !== 'DELETING' ? 'delete' : null;
}

/** What the buttons of a lab do: asks first where something is lost, shows loading until the answer, then the answer itself. */
export function useLabActions({ onAnswer, onRefused, onDeleted }: LabActionOptions) {
  const text = useText();
  const navigate = useNavigate();
  const { refresh: refreshBalance } = useModel('balance');
  const once = useIdempotencyKey('startWorkshop');
  const [pending, setPending] = useState<Readonly<Record<string, LabAction>>>({});
  const [asked, setAsked] = useState<{ lab: Lab; question: Question; isOpen: boolean } | null>(null);
  // What was asked stays readable while its dialog closes.
  const close = () => setAsked((question) => question && { ...question, isOpen: false });

  const send = ({ workshopId }: Lab, action: LabAction, isSilent: boolean) => {
    if (action === 'start') return once(workshopId, (key) => startWorkshop(workshopId, key));
    if (action === 'keep') return extendWorkshop(workshopId);
    if (action === 'delete') return deleteWorkshop(workshopId, { isSilent });
    return stopWorkshop(workshopId, { isSilent, isForced: action === 'forceStop' });
  };
  const leave = (lab: Lab, stay: () => void) => {
    message.success(text('workshop.delete.done', { name: lab.name }));
    if (onDeleted) onDeleted();
    else stay();
  };
  /** Rejects where a dialog asked first, which then says why. */
  const perform = async (lab: Lab, action: LabAction, isAsked = false) => {
    setPending((all) => ({ ...all, [lab.workshopId]: action }));
    try {
      const answer = await send(lab, action, isAsked);
      refreshBalance();
      if (action === 'delete') leave(lab, () => onAnswer(answer));
      else onAnswer(answer);
      close();
    } catch (error) {
      // A reply was lost and the workshop is gone already: that is what was asked for.
      if (action === 'delete' && isCallError(error, errors.NOT_FOUND.code)) {
        leave(lab, onRefused);
        close();
      } else {
        // Otherwise the page asks for the truth; why is said by the dialog, or was by the request layer.
        onRefused();
        if (isAsked) throw error;
      }
    } finally {
      setPending(({ [lab.workshopId]: _done, ...rest }) => rest);
    }
  };
  const act = (lab: Lab, action: LabAction) => {
    const question = asksBefore(lab, action);
    if (action === 'openTerminal') navigate(labPath(lab.workshopId));
    else if (action === 'change') navigate(labPath(lab.workshopId, 'settings'));
    else if (!isAllowed(lab.state, action)) onRefused();
    else if (question) setAsked({ lab, question, isOpen: true });
    else perform(lab, action);
  };

  const dialogs = asked && (
    <Suspense>
      <LabDialogs
        {...asked}
        onCancel={close}
        onConfirm={(lab, action) => perform(lab, action, true)}
        onChanged={(lab) => {
          close();
          onAnswer(lab);
        }}
      />
    </Suspense>
  );
  return { act, pendingOf: (workshopId: string) => pending[workshopId], dialogs };
}
