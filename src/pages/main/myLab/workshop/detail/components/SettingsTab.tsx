import { useModel } from '@umijs/max';
import { Button, Form, Input } from 'antd';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import { getCpuSpecs } from '@/services/workshop';
import { formatBytes } from '@/utils/formatBytes';
import { formatDateTime, formatInstant } from '@/utils/formatTime';
import { canDo } from '../../../../../../../gateway/contract/workshopStates';
import { nameRules } from '../../components/labName';
import MaxHoursField from '../../components/MaxHoursField';
import { IdleField } from '../../components/SetupFields';
import SpecPicker from '../../components/SpecPicker';
import styles from '../index.less';
import { EnvironmentSettings, ImageSettings } from './SetupSettings';
import { type SettingsProps, useChanges } from './useChanges';

interface NameAndLimits {
  name: string;
  maxHours?: number | null;
  idleMinutes?: number | null;
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
        initialValues={{ name: lab.name, maxHours: lab.maxHours, idleMinutes: lab.idleMinutes }}
        onFinish={({ name, maxHours = null, idleMinutes = null }: NameAndLimits) =>
          save({ name: name.trim(), maxHours, ...(idleMinutes === lab.idleMinutes ? {} : { idleMinutes }) })
        }
      >
        <Form.Item name="name" label={text('workshop.create.name')} rules={nameRules(text)}>
          <Input autoComplete="off" maxLength={80} style={{ maxInlineSize: 420 }} />
        </Form.Item>
        <MaxHoursField />
        <IdleField />
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
      <ImageSettings lab={lab} onAnswer={onAnswer} />
      <EnvironmentSettings lab={lab} onAnswer={onAnswer} />
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
