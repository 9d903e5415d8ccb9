import { history } from '@umijs/max';
import { Button, Modal } from 'antd';
import enUS from '@/locales/en-US/limits';
import zhCN from '@/locales/zh-CN/limits';
import type { CallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { currentLanguage, inOwnDirection, type Language } from '@/utils/language';
import { membershipPath } from '@/utils/orderPaths';

type LimitWord = keyof typeof enUS;

/** They travel with the dialog: whoever meets no limit fetches none of them. */
const words: Readonly<Record<Language, Readonly<Record<LimitWord, string>>>> = { 'en-US': enUS, 'zh-CN': zhCN };

interface Step {
  go: LimitWord;
  path: string;
}

interface Way {
  title: LimitWord;
  hint?: LimitWord;
  /** The nearest way out, and another where there are two. */
  step: Step;
  other?: Step;
}

const workshopPath = '/main/myLab/workshop';
const accountPath = '/main/personalCenter/costCenter/account';
const packages: Step = { go: 'limit.toPackages', path: membershipPath };
const workshops: Step = { go: 'limit.toWorkshops', path: workshopPath };
const running: Step = { go: 'limit.toRunning', path: `${workshopPath}?state=RUNNING` };

const cpu: Way = { title: 'limit.cpu.title', hint: 'limit.cpu.way', step: packages, other: workshops };
const rate: Way = { title: 'limit.rate.title', hint: 'limit.rate.way', step: packages, other: running };
const ways: Readonly<Record<number, Way>> = {
  [errorCodes.MEMBER_MAX_LEVEL_CPU_LIMIT]: cpu,
  [errorCodes.MEMBER_NOT_MAX_LEVEL_CPU_LIMIT]: cpu,
  [errorCodes.MEMBER_RUNNING_LABS_LIMIT]: { title: 'limit.labs.title', hint: 'limit.labs.way', step: running, other: packages },
  [errorCodes.MEMBER_STORAGE_LIMIT]: { title: 'limit.storage.title', hint: 'limit.storage.way', step: workshops, other: packages },
  [errorCodes.MEMBER_DCU_LIMIT]: {
    title: 'limit.balance.title',
    hint: 'limit.balance.way',
    step: { go: 'limit.toTopUp', path: `${accountPath}?topUp=1` },
    other: { go: 'limit.toAccount', path: accountPath },
  },
  [errorCodes.REAL_NAME_REQUIRED]: {
    title: 'limit.realName.title',
    step: { go: 'limit.toRealName', path: '/main/personalCenter/accountSettings?tab=realName' },
  },
};

/** One code tells of two limits: of the balance, which a top-up raises, and of the level's DCU per hour, which a package raises. */
function wayOf({ code, data }: CallError): Way | undefined {
  const { cause } = (data ?? {}) as { cause?: unknown };
  return code === errorCodes.MEMBER_DCU_LIMIT && cause === 'RATE_CEILING' ? rate : ways[code];
}

/** A limit of level, balance or real name, in the gateway's words, with the ways out. */
export function showLimitDialog(refusal: CallError): void {
  const way = wayOf(refusal);
  if (!way) return;
  const text = (word: LimitWord) => inOwnDirection(words[currentLanguage()][word]);
  const leave = (path?: string) => {
    destroy();
    if (path) history.push(path);
  };
  const buttons = (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, justifyContent: 'flex-end', marginBlockStart: 16 }}>
      <Button onClick={() => leave()}>{text('limit.close')}</Button>
      {way.other ? <Button onClick={() => leave(way.other?.path)}>{text(way.other.go)}</Button> : null}
      <Button type="primary" onClick={() => leave(way.step.path)}>
        {text(way.step.go)}
      </Button>
    </div>
  );
  const { destroy } = Modal.confirm({
    title: text(way.title),
    content: (
      <>
        <p>{refusal.msg}</p>
        {way.hint ? <p style={{ color: 'var(--muted)', marginBlockEnd: 0 }}>{text(way.hint)}</p> : null}
      </>
    ),
    footer: buttons,
    icon: null,
    centered: true,
    maskClosable: true,
  });
}
