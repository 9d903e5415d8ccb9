import type * as Zxcvbn from '@zxcvbn-ts/core';
import type * as CommonLanguage from '@zxcvbn-ts/language-common';
import type * as EnglishLanguage from '@zxcvbn-ts/language-en';
import { limits } from '../../contract/limits';
import type { Language } from '../../locales/messages';
import { Refusal } from '../../refusal';
import { suggestionsZhCN, warningsZhCN } from './passwordFeedback';

/** Guessing is estimated on this many leading characters: beyond it the estimate costs a third of a second on crafted input. */
const JUDGED_CHARACTERS = 32;

export interface PasswordStrength {
  /** 0 to 4; see `limits.password.minStrength`. */
  score: number;
  /** Sentences in the member's language. */
  feedback: { warning: string; suggestions: string[] };
}

interface Judge {
  zxcvbn: Zxcvbn.ZxcvbnFactory;
  english: Zxcvbn.TranslationKeys;
}

let judge: Judge | null = null;

/** How hard a password is to guess for somebody who knows `ownWords` (username, number, mail address). */
export function judgePassword(password: string, ownWords: readonly string[], language: Language): PasswordStrength {
  judge ??= loadJudge();
  const { score, feedback } = judge.zxcvbn.check(password, ['atelier', '研习坊', ...ownWords.filter((word) => word !== '')]);
  const warnings: Readonly<Record<string, string>> = language === 'zh-CN' ? warningsZhCN : judge.english.warnings;
  const suggestions: Readonly<Record<string, string>> = language === 'zh-CN' ? suggestionsZhCN : judge.english.suggestions;
  return {
    score,
    feedback: {
      warning: feedback.warning ? (warnings[feedback.warning] ?? '') : '',
      suggestions: feedback.suggestions.flatMap((key) => suggestions[key] ?? []),
    },
  };
}

/** Refuses with `PASSWORD_TOO_WEAK`, and says why in the member's language. */
export function requireStrongPassword(password: string, ownWords: readonly string[], language: Language): void {
  const { score, feedback } = judgePassword(password, ownWords, language);
  if (score < limits.password.minStrength) throw new Refusal('PASSWORD_TOO_WEAK', { data: { feedback } });
}

/** The dictionaries take 70 MB: they are loaded by the first registration, not by an idle gateway's start. */
function loadJudge(): Judge {
  const core: typeof Zxcvbn = require('@zxcvbn-ts/core');
  const common: typeof CommonLanguage = require('@zxcvbn-ts/language-common');
  const english: typeof EnglishLanguage = require('@zxcvbn-ts/language-en');
  return {
    zxcvbn: new core.ZxcvbnFactory({
      dictionary: { ...common.dictionary, ...english.dictionary },
      graphs: common.adjacencyGraphs,
      maxLength: JUDGED_CHARACTERS,
    }),
    english: english.translations,
  };
}
