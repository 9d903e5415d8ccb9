import { captchaScenes } from '../../contract/user';
import { CODES_PER_IP_AND_HOUR, codeTextFor, needsSignIn, waitBeforeSendingMs } from './verificationCode.rules';

const NOW = new Date('2026-03-01T12:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
/** Sends latest first, `count` of them, the oldest so many seconds ago. */
const sends = (count: number, oldest: number) => Array.from({ length: count }, (_, index) => ago((oldest * (index + 1)) / count));

describe('the wait before another code', () => {
  it.each([
    ['never sent', [], [], 0],
    ['sent 59 s ago', [ago(59)], [], 1_000],
    ['sent 60 s ago', [ago(60)], [], 0],
    ['four within the hour', sends(4, 3_000), [], 0],
    ['five within the hour', sends(5, 3_000), [], 600_000],
    ['five, the first an hour ago', sends(5, 3_600), [], 0],
    ['ten within the day', sends(10, 80_000), [], 6_400_000],
    ['ten, the first a day ago', sends(10, 86_400), [], 0],
    ['nine from the address', [], sends(CODES_PER_IP_AND_HOUR - 1, 1_000), 0],
    ['ten from the address', [], sends(CODES_PER_IP_AND_HOUR, 1_000), 2_600_000],
  ])('is, %s, %#', (_what, toNumber, fromIp, waitMs) => {
    expect(waitBeforeSendingMs(NOW, toNumber, fromIp)).toBe(waitMs);
  });
});

describe('the text of a code', () => {
  it.each(captchaScenes)('in scene %s is one text, account or not', (scene) => {
    const [known, unknown] = [codeTextFor(scene, true), codeTextFor(scene, false)];

    expect({ known, unknown }).toEqual(
      {
        login: { known: 'code', unknown: 'code' },
        register: { known: 'taken', unknown: 'code' },
        reset: { known: 'code', unknown: 'noAccount' },
        changeMobile: { known: 'taken', unknown: 'code' },
        closeAccount: { known: 'code', unknown: 'code' },
      }[scene],
    );
  });

  it('is sent for a change of an account only to somebody signed in', () => {
    expect(captchaScenes.filter(needsSignIn)).toEqual(['changeMobile', 'closeAccount']);
  });
});
