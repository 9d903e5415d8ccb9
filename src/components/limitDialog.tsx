import { getIntl, history } from '@umijs/max';
import { Modal } from 'antd';
import type { CallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import type { Word } from '@/utils/words';

interface Way {
  title: Word;
  hint?: Word;
  go: Word;
  path: string;
}

const workshops = '/main/myLab/workshop';
const running = `${workshops}?state=RUNNING`;
const spec: Way = { title: 'limit.cpu.title', hint: 'limit.cpu.way', go: 'limit.toWorkshops', path: workshops };
const rate: Way = { title: 'limit.rate.title', hint: 'limit.rate.way', go: 'limit.toRunning', path: running };
const ways: Readonly<Record<number, Way>> = {
  [errorCodes.MEMBER_MAX_LEVEL_CPU_LIMIT]: spec,
  [errorCodes.MEMBER_NOT_MAX_LEVEL_CPU_LIMIT]: spec,
  [errorCodes.MEMBER_RUNNING_LABS_LIMIT]: { title: 'limit.labs.title', go: 'limit.toRunning', path: running },
  [errorCodes.MEMBER_DCU_LIMIT]: {
    title: 'limit.balance.title',
    hint: 'limit.balance.way',
    go: 'limit.toAccount',
    path: '/main/personalCenter/costCenter/account',
  },
};

/** One code tells of two limits: of the balance, which a top-up raises, and of the level's DCU per hour, which it does not. */
function wayOf({ code, data }: CallError): Way | undefined {
  const { cause } = (data ?? {}) as { cause?: unknown };
  return code === errorCodes.MEMBER_DCU_LIMIT && cause === 'RATE_CEILING' ? rate : ways[code];
}

/** A limit of level or balance, in the gateway's words, with the way out. */
export function showLimitDialog(refusal: CallError): void {
  const way = wayOf(refusal);
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
