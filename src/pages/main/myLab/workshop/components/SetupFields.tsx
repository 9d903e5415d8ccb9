import { Link, useModel } from '@umijs/max';
import { Form, InputNumber, Switch } from 'antd';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import { getCpuSpecs } from '@/services/workshop';
import { limits } from '../../../../../../gateway/contract/limits';
import EnvEditor from './EnvEditor';
import { type EnvRow, envOf, problemOf } from './envRows';

/** What the fields below hold, beside the hours. */
export interface SetupValues {
  idleMinutes?: number | null;
  env?: EnvRow[];
  isOnline?: boolean;
}

/** As the gateway takes them; what is left alone is left out. */
export function setupOf({ idleMinutes, env = [], isOnline = false }: SetupValues) {
  return {
    ...(idleMinutes ? { idleMinutes } : {}),
    ...(env.length > 0 ? { env: envOf(env) } : {}),
    ...(isOnline ? { network: 'egress' as const } : {}),
  };
}

/** After how long without use a run stops, and what counts as use. */
export function IdleField() {
  const text = useText();
  const { min, max } = limits.idleMinutes;
  return (
    <Form.Item
      name="idleMinutes"
      label={text('setup.idle')}
      extra={text('setup.idle.help')}
      rules={[{ type: 'integer', min, max, message: text('setup.idle.range', { min, max }) }]}
    >
      <InputNumber
        style={{ inlineSize: 160 }}
        placeholder={text('setup.idle.never')}
        suffix={text('setup.idle.unit')}
        precision={0}
      />
    </Form.Item>
  );
}

export function EnvField() {
  const text = useText();
  const most = { names: limits.envNames, valueLength: limits.envValueLength };
  return (
    <Form.Item
      name="env"
      label={text('setup.env')}
      extra={text('setup.env.help')}
      rules={[
        {
          validator: (_rule, rows: EnvRow[] = []) => {
            const problem = problemOf(rows, most);
            return problem
              ? Promise.reject(new Error(text(`setup.env.problem.${problem}`, { most: limits.envNames })))
              : Promise.resolve();
          },
        },
      ]}
    >
      <EnvEditor />
    </Form.Item>
  );
}

const realNamePath = '/main/personalCenter/accountSettings?tab=realName';

/** Whether its runs reach the internet: off unless asked for, and only for who is known by name, where the engine can. */
export function NetworkField() {
  const text = useText();
  const { currentUser } = useModel('session');
  const { data } = useCached('cpuSpec', getCpuSpecs);
  const isThere = data?.network.isAvailable ?? true;
  const isKnown = currentUser.isRealName;
  const why = !isThere ? (
    <bdi>{data?.network.reason || text('setup.network.none')}</bdi>
  ) : isKnown ? (
    text('setup.network.help')
  ) : (
    <>
      {text('setup.network.realName')} <Link to={realNamePath}>{text('setup.network.toRealName')}</Link>
    </>
  );
  return (
    <Form.Item label={text('setup.network')} extra={why}>
      <Form.Item name="isOnline" valuePropName="checked" noStyle>
        <Switch aria-label={text('setup.network')} disabled={!isThere || !isKnown} />
      </Form.Item>
    </Form.Item>
  );
}
