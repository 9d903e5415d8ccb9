import { useRequest } from 'ahooks';
import { Form, message } from 'antd';
import type { Lab } from '@/components/LabCard/labFacts';
import { useText } from '@/hooks/useText';
import { updateWorkshop, type WorkshopChanges } from '@/services/workshop';
import { showBesideField } from '../../components/labName';

export interface SettingsProps {
  lab: Lab;
  onAnswer: (lab: Lab) => void;
}

/** One form of changes: the answer replaces what the page shows, a refusal stands beside its field. */
export function useChanges({ lab, onAnswer }: SettingsProps) {
  const text = useText();
  const [form] = Form.useForm();
  const request = useRequest(
    (changes: Omit<WorkshopChanges, 'workshopId'>) => updateWorkshop({ workshopId: lab.workshopId, ...changes }),
    {
      manual: true,
      onSuccess: (answer) => {
        message.success(text('workshop.saved'));
        onAnswer(answer);
      },
      // What is not about a field was shown by the request layer.
      onError: (error) => showBesideField(form, error),
    },
  );
  return { form, save: request.run, isSaving: request.loading };
}
