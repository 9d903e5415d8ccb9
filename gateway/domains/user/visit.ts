import type { FastifyRequest } from 'fastify';
import { type Language, languageOf } from '../../locales/messages';
import { isAddressTelling, limitedAddress } from '../../plugins/rateLimitAddress';
import { consumeOrRefuse, type SharedLimit } from '../../plugins/rateLimitStore';

/** What sign-in calls need to know of a request beside its fields. */
export interface Visit {
  /** As limits count it: an IPv6 address by its /64. */
  ip: string;
  /** False where the address says nothing about who asks; limits by address rest there. */
  isIpLimited: boolean;
  userAgent: string;
  language: Language;
  /** The login session this browser has now, which a new one replaces. */
  loginSessionId: string | null;
  memberId: string | null;
}

export function visitOf(request: FastifyRequest): Visit {
  return {
    ip: limitedAddress(request.ip),
    isIpLimited: isAddressTelling(request.ip),
    userAgent: request.headers['user-agent'] ?? '',
    language: languageOf(request.headers['accept-language']),
    loginSessionId: request.signedIn?.loginSessionId ?? null,
    memberId: request.signedIn?.memberId ?? null,
  };
}

/** Counts one try of the visitor's address, where it says who asks. Refuses with `TOO_MANY_REQUESTS`. */
export async function countAttempt(perAddress: SharedLimit, { ip, isIpLimited }: Visit): Promise<void> {
  if (isIpLimited) await consumeOrRefuse(perAddress, ip);
}
