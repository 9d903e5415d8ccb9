import { useModel } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Button, Form, Input, message } from 'antd';
import type { Lab } from '@/components/LabCard/labFacts';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import { getCpuSpecs, updateWorkshop, type WorkshopChanges } from '@/services/workshop';
import { formatBytes } from '@/utils/formatBytes';
import { formatDateTime, formatInstant } from '@/utils/formatTime';
import { canDo } from '../../../../../../../gateway/contract/workshopStates';
import { nameRules, showBesideField } from '../../components/labName';
import MaxHoursField from '../../components/MaxHoursField';
import SpecPicker from '../../components/SpecPicker';
import styles from '../index.less';

interface SettingsProps {
  lab: Lab;
  onAnswer: (lab: Lab) => void;
}

/** One form of changes: the answer replaces what the page shows, a refusal stands beside its field. */
function useChanges({ lab, onAnswer }: SettingsProps) {
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

function NameAndHours({ lab, onAnswer }: SettingsProps) {
  const text = useText();
  const { form, save, isSaving } = useChanges({ lab, onAnswer });
  return (
    <section className={styles.section}>
      <h2 className={styles.subheading}>{text('workshop.settings.name')}</h2>
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: lab.name, maxHours: lab.maxHours }}
        onFinish={({ name, maxHours }: { name: string; maxHours?: number | null }) =>
          save({ name: name.trim(), maxHours: maxHours ?? null })
        }
      >
        <Form.Item name="name" label={text('workshop.create.name')} rules={nameRules(text)}>
          <Input autoComplete="off" maxLength={80} style={{ maxInlineSize: 420 }} />
        </Form.Item>
        <MaxHoursField />
        <Button htmlType="submit" loading={isSaving}>
          {text('workshop.save')}
        </Button>
      </Form>
    </section>
  );
}

function Size({ lab, onAnswer }: SettingsProps) {
  const text = useText();
  const { overview } = useModel('balance');
  const { form, save, isSaving } = useChanges({ lab, onAnswer });
  const specs = useCached('cpuSpec', getCpuSpecs);
  const specId = Form.useWatch('specId', form) ?? lab.spec.specId;
  return (
    <section className={styles.section}>
      <h2 className={styles.subheading}>{text('workshop.settings.spec')}</h2>
      {!canDo(lab.state, 'changeSpec') ? (
        <p className={styles.note}>{text('workshop.settings.spec.locked')}</p>
      ) : (
        <Form form={form} layout="vertical" initialValues={{ specId: lab.spec.specId }} onFinish={save}>
          <Form.Item name="specId">
            <SpecPicker specs={specs.data?.list ?? []} balance={overview} />
          </Form.Item>
          <Button htmlType="submit" loading={isSaving} disabled={specId === lab.spec.specId}>
            {text('workshop.settings.spec.save')}
          </Button>
        </Form>
      )}
    </section>
  );
}

/** Name, time limit and size; what the workshop is made of; and its end. */
export default function SettingsTab({ lab, onAnswer, onDelete }: SettingsProps & { onDelete: () => void }) {
  const text = useText();
  const isDeletable = canDo(lab.state, 'delete');
  const sizes = [
    text('workshop.cores', { count: lab.spec.cpuCores }),
    formatBytes(lab.spec.memoryBytes),
    text('workshop.create.spec.disk', { size: formatBytes(lab.spec.diskBytes) }),
  ];
  return (
    <>
      <NameAndHours lab={lab} onAnswer={onAnswer} />
      <Size lab={lab} onAnswer={onAnswer} />
      <section className={styles.section}>
        <h2 className={styles.subheading}>{text('workshop.settings.about')}</h2>
        <dl className={styles.about}>
          <dt>{text('workshop.settings.image')}</dt>
          <dd>
            <bdi>{lab.image.name}</bdi>
          </dd>
          <dt>{text('workshop.settings.spec')}</dt>
          <dd>{sizes.join(' · ')}</dd>
          <dt>{text('workshop.settings.created')}</dt>
          <dd title={formatInstant(lab.createdAt)}>{formatDateTime(lab.createdAt)}</dd>
          <dt>{text('workshop.settings.id')}</dt>
          <dd className={styles.mono}>{lab.workshopId}</dd>
        </dl>
      </section>
      <section className={styles.section}>
        <h2 className={styles.subheading}>{text('workshop.settings.danger')}</h2>
        <p className={styles.note}>{text(isDeletable ? 'workshop.delete.text' : 'workshop.settings.danger.locked')}</p>
        <Button danger disabled={!isDeletable} onClick={onDelete}>
          {text('workshop.delete.confirm')}
        </Button>
      </section>
    </>
  );
}
