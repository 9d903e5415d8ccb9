import { limits } from '../../contract/limits';
import { judgePassword } from './passwordStrength';

describe('the judge of passwords', () => {
  it.each(['password', 'qwertyuiop', '12345678', 'lihua2026', 'aaaaaaaaaaaa'])(
    'finds %s easy to guess and says why',
    (password) => {
      const { score, feedback } = judgePassword(password, ['lihua'], 'en-US');

      expect(score).toBeLessThan(limits.password.minStrength);
      expect([feedback.warning, ...feedback.suggestions].join('')).not.toBe('');
    },
  );

  it('takes several uncommon words', () => {
    expect(judgePassword('bench lamp shelf 42', ['lihua'], 'en-US').score).toBeGreaterThanOrEqual(limits.password.minStrength);
  });

  it('does not count the member’s own words as strength', () => {
    const { score } = judgePassword('zhangweiwei@school', ['zhangweiwei@school.edu.cn', 'zhangweiwei@school'], 'en-US');

    expect(score).toBeLessThan(limits.password.minStrength);
  });

  it('speaks the member’s language', () => {
    expect(judgePassword('password', [], 'en-US').feedback.warning).toBe('This is a heavily used password.');
    expect(judgePassword('password', [], 'zh-CN').feedback).toEqual({
      warning: '这是使用最多的密码之一。',
      suggestions: ['再加几个不常见的词语。'],
    });
  });
});
