import { getIntl, history } from '@umijs/max';
import { Modal } from 'antd';
import type { Word } from '@/hooks/useText';
import type { CallError } from '@/utils/callError';

interface Way {
  title: Word;
  hint?: Word;
  go: Word;
  path: string;
}

const workshops = '/main/myLab/workshop';
const spec: Way = { title: 'limit.cpu.title', hint: 'limit.cpu.way', go: 'limit.toWorkshops', path: workshops };
const ways: Readonly<Record<number, Way>> = {
  25100: spec,
  25106: spec,
  25101: { title: 'limit.labs.title', go: 'limit.toWorkshops', path: `${workshops}?state=RUNNING` },
  25105: {
    title: 'limit.balance.title',
    hint: 'limit.balance.way',
    go: 'limit.toAccount',
    path: '/main/personalCenter/costCenter/account',
  },
};

/** A limit of level or balance, in the gateway's words, with the way out. */
export function showLimitDialog(refusal: CallError): void {
  const way = ways[refusal.code];
  if (!way) return;
  const text = (id: Word) => getIntl().formatMessage({ id });
  const { destroy } = Modal.confirm({
    title: text(way.title),
    content: (
      <>
        <p>{refusal.msg}</p>
        {way.hint ? <p style={{ color: 'var(--muted)', marginBlockEnd: 0 }}>{text(way.hint)}</p> : null}
      </>
    ),
    okText: text(way.go),
    cancelText: text('limit.close'),
    icon: null,
    centered: true,
    onOk: () => {
      destroy();
      history.push(way.path);
    },
  });
}
