import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as commonDictionary } from '@zxcvbn-ts/language-common';
import { dictionary as englishDictionary } from '@zxcvbn-ts/language-en';
import { brandNames } from '@/locales/brandNames';

export type Strength = 0 | 1 | 2 | 3 | 4;
export type PasswordJudge = (password: string, ownWords: readonly string[]) => Strength;

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...commonDictionary, ...englishDictionary },
  graphs: adjacencyGraphs,
  // As the gateway: beyond it the estimate gets slow on crafted input.
  maxLength: 32,
});

/** How hard a password is to guess for somebody who knows `ownWords`: the same judge as the gateway's. */
export const judgePassword: PasswordJudge = (password, ownWords) =>
  zxcvbn.check(password, [...brandNames, ...ownWords.filter((word) => word !== '')]).score;
