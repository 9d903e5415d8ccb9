import { useModel } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Form, InputNumber } from 'antd';
import { useText } from '@/hooks/useText';
import { getPackages } from '@/services/membership';
import { entitlementOf } from '../../../../../../gateway/contract/entitlements';
import { limits } from '../../../../../../gateway/contract/limits';

/** After how many hours a run stops by itself; the limit of the member's package, or level, holds in any case. */
export default function MaxHoursField() {
  const text = useText();
  const { currentUser } = useModel('session');
  const { min } = limits.maxHours;
  const { data: packages } = useRequest(getPackages, { onError: () => undefined });
  // A package built to measure may permit other hours than its level; until they are known, or where they cannot be, the level's stand.
  const max = packages?.current?.ceilings.maxHours ?? entitlementOf(currentUser.levelFlag).maxHours;
  return (
    <Form.Item
      name="maxHours"
      label={text('workshop.create.maxHours')}
      extra={text('workshop.create.maxHours.level', { hours: max })}
      rules={[{ type: 'integer', min, max, message: text('workshop.create.maxHours.range', { min, max }) }]}
    >
      <InputNumber
        style={{ inlineSize: 160 }}
        placeholder={String(max)}
        suffix={text('workshop.create.maxHours.unit')}
        precision={0}
      />
    </Form.Item>
  );
}
