import { Button, Form } from 'antd';
import type { Lab } from '@/components/LabCard/labFacts';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import { getBasicImageTree } from '@/services/image';
import { canDo } from '../../../../../../../gateway/contract/workshopStates';
import { envOf, rowsOf } from '../../components/envRows';
import ImagePicker from '../../components/ImagePicker';
import { EnvField, NetworkField, type SetupValues } from '../../components/SetupFields';
import setupStyles from '../../components/setup.less';
import styles from '../index.less';
import { type SettingsProps, useChanges } from './useChanges';

/** Another image under the same home folder, while nothing runs. */
export function ImageSettings({ lab, onAnswer }: SettingsProps) {
  const text = useText();
  const { form, save, isSaving } = useChanges({ lab, onAnswer });
  const { data: images } = useCached('basicTree', getBasicImageTree);
  const imageId = Form.useWatch('imageId', form) ?? lab.image.imageId;
  const isOpen = canDo(lab.state, 'changeSpec');
  return (
    <section className={styles.section}>
      <h2 className={styles.subheading}>{text('workshop.settings.image')}</h2>
      <p className={styles.note}>{text(isOpen ? 'setup.image.help' : 'setup.locked')}</p>
      {isOpen && (
        <Form form={form} layout="vertical" initialValues={{ imageId: lab.image.imageId }} onFinish={save}>
          <Form.Item name="imageId">
            <ImagePicker tree={images?.tree ?? []} />
          </Form.Item>
          <Button htmlType="submit" loading={isSaving} disabled={imageId === lab.image.imageId}>
            {text('setup.image.save')}
          </Button>
        </Form>
      )}
    </section>
  );
}

/** What stands set while it cannot be changed. */
function AsSet({ lab }: { lab: Lab }) {
  const text = useText();
  const names = Object.keys(lab.env);
  return (
    <>
      {names.length > 0 && (
        <ul className={setupStyles.set} aria-label={text('setup.env')}>
          {names.map((name) => (
            <li key={name}>
              <bdi>{`${name}=${lab.env[name]}`}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.note}>{text(lab.network === 'egress' ? 'setup.network.on' : 'setup.network.off')}</p>
      <p className={styles.note}>{text('setup.locked')}</p>
    </>
  );
}

/** Variables and network, which a run takes with it when it begins. */
export function EnvironmentSettings({ lab, onAnswer }: SettingsProps) {
  const text = useText();
  const { form, save, isSaving } = useChanges({ lab, onAnswer });
  const handleFinish = ({ env = [], isOnline }: SetupValues) => save({ env: envOf(env), network: isOnline ? 'egress' : 'none' });
  return (
    <section className={styles.section}>
      <h2 className={styles.subheading}>{text('setup.title')}</h2>
      {canDo(lab.state, 'changeSpec') ? (
        <Form
          form={form}
          layout="vertical"
          initialValues={{ env: rowsOf(lab.env), isOnline: lab.network === 'egress' }}
          onFinish={handleFinish}
        >
          <EnvField />
          <NetworkField />
          <Button htmlType="submit" loading={isSaving}>
            {text('workshop.save')}
          </Button>
        </Form>
      ) : (
        <AsSet lab={lab} />
      )}
    </section>
  );
}
