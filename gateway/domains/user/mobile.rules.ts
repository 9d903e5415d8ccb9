import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import { invalidField } from '../../refusal';

/** A typed number in E.164, China when it names no country; null for anything that cannot receive a text. */
export function parseMobile(typed: string): string | null {
  const number = parsePhoneNumberFromString(typed, 'CN');
  return number?.isValid() ? number.number : null;
}

/** As `parseMobile`, refusing with `INVALID_INPUT` that names `field`. */
export function requireMobile(typed: string, field: string): string {
  const mobile = parseMobile(typed);
  if (!mobile) throw invalidField(field, 'mobile');
  return mobile;
}

/** A number as its owner may type it into a password: in full, and in China without the country. */
export function numbersOf(mobile: string): string[] {
  return [mobile, mobile.replace(/^\+86/, '')];
}

/** `138****1234`: enough to recognise one's own number, not enough to learn it; other countries keep their calling code. */
export function maskMobile(mobile: string): string {
  const number = parsePhoneNumberFromString(mobile);
  const national = number?.nationalNumber ?? mobile.replace(/^\+/, '');
  const prefix = !number || number.countryCallingCode === '86' ? '' : `+${number.countryCallingCode} `;
  const [head, tail] = national.length >= 9 ? [3, 4] : [1, 2];
  return `${prefix}${national.slice(0, head)}****${national.slice(-tail)}`;
}
