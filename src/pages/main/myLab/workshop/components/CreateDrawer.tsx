import { useModel, useNavigate } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Button, Drawer, Form, message } from 'antd';
import { useEffect, useState } from 'react';
import { labPath } from '@/components/LabCard/labFacts';
import { withWords } from '@/components/withWords';
import { useCached } from '@/hooks/useCached';
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey';
import { useText } from '@/hooks/useText';
import setupEn from '@/locales/en-US/workshopSetup';
import setupZh from '@/locales/zh-CN/workshopSetup';
import { getBasicImageTree } from '@/services/image';
import { createWorkshop, getCpuSpecs, type NewWorkshop, type Workshop } from '@/services/workshop';
import { currentDirection, withoutDirection } from '@/utils/language';
import CostFooter from './CostFooter';
import CreateForm, { type CreateValues } from './CreateForm';
import styles from './createDrawer.less';
import { firstOf, variantsOf } from './imageTree';
import { showBesideField } from './labName';
import { type SetupValues, setupOf } from './SetupFields';

interface CreateDrawerProps {
  /** For the suggested name. */
  nextNumber: number;
  /** Chosen before it opened: on the page of images, say. */
  imageId?: string | null;
  takenNames: readonly string[];
  onCreated: () => void;
  onClose: () => void;
}

/** What is on offer, and the first usable choice of each as a start. */
function useOffers() {
  const specs = useCached('cpuSpec', getCpuSpecs);
  const images = useCached('basicTree', getBasicImageTree);
  const list = specs.data?.list;
  const tree = images.data?.tree;
  return {
    specs,
    images,
    firstSpecId: list?.find((spec) => spec.isAllowed && spec.isAvailable)?.specId,
    firstImageId: tree && firstOf(tree.flatMap(variantsOf).filter((variant) => variant.isAvailable))?.imageId,
  };
}

/** Makes a workshop: what it costs stands there before anything is made. */
function CreateDrawer({ nextNumber, imageId = null, takenNames, onCreated, onClose }: CreateDrawerProps) {
  const text = useText();
  const navigate = useNavigate();
  const { overview, refresh: refreshBalance } = useModel('balance');
  const [form] = Form.useForm<CreateValues>();
  const [isOpen, setIsOpen] = useState(true);
  const offers = useOffers();
  const once = useIdempotencyKey('createWorkshop');
  const specId = Form.useWatch('specId', form);
  const isStarting = Form.useWatch('startNow', form) ?? true;
  const spec = offers.specs.data?.list.find((one) => one.specId === specId);

  // Offers arrive after the form: they fill only what nobody has chosen yet.
  useEffect(() => {
    if (!form.getFieldValue('specId')) form.setFieldValue('specId', offers.firstSpecId);
    if (!form.getFieldValue('imageId')) form.setFieldValue('imageId', imageId ?? offers.firstImageId);
  }, [form, imageId, offers.firstSpecId, offers.firstImageId]);

  const create = useRequest((body: NewWorkshop) => once(body, (key) => createWorkshop(body, key)), {
    manual: true,
    onSuccess: (lab: Workshop) => {
      refreshBalance();
      if (lab.session) return navigate(labPath(lab.workshopId));
      message.success(text('workshop.create.done', { name: lab.name }));
      onCreated();
    },
    // What belongs to no field was shown by the request layer; the form stays as it is.
    onError: (error) => showBesideField(form, error),
  });

  const suggestion = () => {
    const nameOf = (number: number) => withoutDirection(text('workshop.create.name.suggestion', { number }));
    let number = nextNumber;
    while (takenNames.includes(nameOf(number))) number += 1;
    return nameOf(number);
  };
  return (
    <Drawer
      open={isOpen}
      placement={currentDirection() === 'rtl' ? 'left' : 'right'}
      width={720}
      styles={{ footer: { padding: '12px 24px' } }}
      title={text('workshop.create.title')}
      closable={{ 'aria-label': text('workshop.close') }}
      onClose={() => setIsOpen(false)}
      afterOpenChange={(isStillOpen) => !isStillOpen && onClose()}
      footer={
        <>
          <CostFooter spec={spec} balance={overview} isStarting={isStarting} />
          <div className={styles.buttons}>
            <Button onClick={() => setIsOpen(false)}>{text('workshop.cancel')}</Button>
            <Button data-track="create-workshop" type="primary" loading={create.loading} onClick={form.submit}>
              {text(isStarting ? 'workshop.create.submitStart' : 'workshop.create.submit')}
            </Button>
          </div>
        </>
      }
    >
      <CreateForm
        form={form}
        suggestedName={suggestion()}
        specs={offers.specs}
        images={offers.images}
        balance={overview}
        onSubmit={({ name, maxHours, idleMinutes, env, isOnline, ...chosen }) =>
          create.run({
            ...chosen,
            ...setupOf({ idleMinutes, env, isOnline } as SetupValues),
            name: name.trim(),
            maxHours: maxHours ?? null,
          })
        }
      />
    </Drawer>
  );
}

export default withWords(CreateDrawer, { 'en-US': setupEn, 'zh-CN': setupZh });
