import { limits } from '../../contract/limits';
import type { CaptchaScene } from '../../drivers/sms/smsSender';
import type { Language } from '../../locales/messages';
import type { CodeText } from './verificationCode.rules';

const MINUTES = limits.captcha.ttlSeconds / 60;

const purposes: Readonly<Record<Language, Readonly<Record<CaptchaScene, string>>>> = {
  'zh-CN': { login: '登录', register: '注册', reset: '重置密码', changeMobile: '更换手机号', closeAccount: '注销账号' },
  'en-US': {
    login: 'sign in',
    register: 'register',
    reset: 'reset your password',
    changeMobile: 'change your phone number',
    closeAccount: 'close your account',
  },
};

const texts: Readonly<Record<Language, Readonly<Record<CodeText, (code: string, purpose: string) => string>>>> = {
  'zh-CN': {
    code: (code, purpose) => `【研习坊】您正在${purpose}，验证码 ${code}，${MINUTES} 分钟内有效。请勿告诉他人。`,
    taken: (code, purpose) =>
      `【研习坊】有人正用此手机号${purpose}，但该号码已有账号，可直接登录。验证码 ${code}，${MINUTES} 分钟内有效。若非本人操作，请忽略。`,
    noAccount: (_code, purpose) => `【研习坊】有人正用此手机号${purpose}，但该号码尚未注册。若非本人操作，请忽略。`,
  },
  'en-US': {
    code: (code, purpose) => `[Atelier] ${code} is your code to ${purpose}, valid for ${MINUTES} minutes. Tell it to nobody.`,
    taken: (code, purpose) =>
      `[Atelier] Somebody asked to ${purpose} with this number, which already has an account: please sign in with it. Code ${code}, valid for ${MINUTES} minutes. Ignore this if it was not you.`,
    noAccount: (_code, purpose) =>
      `[Atelier] Somebody asked to ${purpose} with this number, which has no account. Ignore this if it was not you.`,
  },
};

/** The text of a verification message in the language of whoever asked. */
export function smsText(kind: CodeText, code: string, scene: CaptchaScene, language: Language): string {
  return texts[language][kind](code, purposes[language][scene]);
}

const passwordChanged: Readonly<Record<Language, string>> = {
  'zh-CN': '【研习坊】您的登录密码刚刚被修改，其他设备均已退出登录。若非本人操作，请立即在登录页通过“忘记密码”重置。',
  'en-US':
    '[Atelier] Your password was changed and all other devices were signed out. If this was not you, choose "Forgot password" on the sign-in page at once.',
};

/** Tells the owner of an account that its password is another one; carries no code. */
export function passwordChangedText(language: Language): string {
  return passwordChanged[language];
}
