import { createPluginManager } from '@@/core/plugin';
import { addLocale, getIntl } from '@umijs/max';
import pagesEn from '@/locales/en-US/pages';
import pagesZh from '@/locales/zh-CN/pages';
import type { Text } from '@/utils/words';
import { eventReasons } from '../../../../../../../gateway/contract/workshopStates';
import { eventWords, evidenceWords } from './eventWords';

createPluginManager();

function textIn(locale: string, messages: Record<string, string>): Text {
  // What travels with its page is not among the words of every page.
  addLocale(locale, messages, {} as Parameters<typeof addLocale>[2]);
  const intl = getIntl(locale);
  return (word, values) => intl.formatMessage({ id: word }, values);
}
const inEnglish = textIn('en-US', pagesEn);
const inChinese = textIn('zh-CN', pagesZh);

describe('the words of an event', () => {
  it.each(eventReasons)('say %s in plain words, in both languages', (reason) => {
    const english = eventWords({ reason, to: 'STOPPED' }, inEnglish);
    const chinese = eventWords({ reason, to: 'STOPPED' }, inChinese);

    expect(english).not.toContain(reason);
    expect(english).not.toContain('Changed to');
    expect(chinese).toMatch(/\p{Script=Han}/u);
    expect(chinese).not.toContain('变为');
  });

  it('still say where the workshop went for a reason of a later gateway', () => {
    expect(eventWords({ reason: 'MOON_LANDING', to: 'LOST' }, inEnglish)).toBe('Changed to “Out of reach”');
  });
});

describe('the evidence of an event', () => {
  it('stands in units a reader knows', () => {
    const evidence = { runningMs: 2_520_000, costDcu: 0.350123, exitCode: 137, cause: 'MAX_HOURS' };

    expect(evidenceWords({ reason: 'OUT_OF_MEMORY', evidence }, inEnglish)).toEqual([
      'ran 42 min',
      'cost 0.35 DCU',
      'exit code 137',
      'max hours',
    ]);
  });

  it('names sizes and environments, and leaves what it does not know as it stands', () => {
    const names = { 'cpu-2': '2 cores · 4 GB' };

    expect(
      evidenceWords(
        { reason: 'SPEC_CHANGED', evidence: { specId: 'cpu-2', fromSpecId: 'cpu-old', moon: 'full' } },
        inEnglish,
        names,
      ),
    ).toEqual(['size 2 cores · 4 GB', 'before cpu-old', 'moon full']);
  });

  it('says that a limit was lifted instead of a limit of nothing', () => {
    expect(evidenceWords({ reason: 'UPDATED', evidence: { maxHours: 0 } }, inEnglish)).toEqual(['no limit of your own']);
    expect(evidenceWords({ reason: 'UPDATED', evidence: { maxHours: 3 } }, inEnglish)).toEqual(['limit 3 h']);
  });

  it('says in words what an update changed', () => {
    const evidence = { idleMinutes: 0, variables: 2, network: 'egress' };

    expect(evidenceWords({ reason: 'UPDATED', evidence }, inEnglish)).toEqual([
      'never stops for not being used',
      'variables 2',
      'with internet access',
    ]);
  });

  it('leave out how a lab ended that was told to end', () => {
    expect(evidenceWords({ reason: 'MEMBER', evidence: { exitCode: 137, runningMs: 60_000 } }, inEnglish)).toEqual(['ran 1 min']);
  });
});
