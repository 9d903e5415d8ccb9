import type { FastifyRequest } from 'fastify';
import { type Language, languageOf } from '../locales/messages';
import type { SignedIn } from './callRouter';

/** Who asks, and in which language the answer is worded. */
export function viewerOf({ memberId }: SignedIn, request: FastifyRequest): { memberId: string; language: Language } {
  return { memberId, language: languageOf(request.headers['accept-language']) };
}
