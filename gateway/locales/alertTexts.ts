import { shownDcu } from '../dcu';
import type { Language } from './messages';

interface LowBalance {
  remainMicro: bigint;
  thresholdMicro: bigint;
}

const lowBalance: Readonly<Record<Language, (remain: string, threshold: string) => string>> = {
  'zh-CN': (remain, threshold) =>
    `【研习坊】您的余额为 ${remain} DCU，已低于您设定的 ${threshold} DCU。余额用完时运行中的工坊会停止，文件会保留。可在“账户”页充值或修改提醒。`,
  'en-US': (remain, threshold) =>
    `[Atelier] Your balance is ${remain} DCU, below the ${threshold} DCU you set. At zero running labs stop and keep their files. Top up or change this alert on the account page.`,
};

/** Tells a member that the balance fell below what they set. */
export function lowBalanceText(language: Language, { remainMicro, thresholdMicro }: LowBalance): string {
  return lowBalance[language](shownDcu(remainMicro), shownDcu(thresholdMicro));
}
