import { useModel } from '@umijs/max';
import { Form, InputNumber } from 'antd';
import { useText } from '@/hooks/useText';
import { entitlementOf } from '../../../../../../gateway/contract/entitlements';
import { limits } from '../../../../../../gateway/contract/limits';

/** After how many hours a run stops by itself; the level's limit holds in any case. */
export default function MaxHoursField() {
  const text = useText();
  const { currentUser } = useModel('session');
  const { min } = limits.maxHours;
  const max = entitlementOf(currentUser.levelFlag).maxHours;
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
