import type { FastifyInstance, FastifyRequest } from 'fastify';
import { membershipCalls } from '../../contract/membership';
import { languageOf } from '../../locales/messages';
import { registerCalls } from '../../plugins/callRouter';
import type { MembershipViewService } from './membershipView.service';

/** Packages on sale, for everybody, and those a member owns. */
export function registerMembershipRoutes(
  app: FastifyInstance,
  { membershipViews }: { membershipViews: MembershipViewService },
): void {
  const language = (request: FastifyRequest) => languageOf(request.headers['accept-language']);
  registerCalls(app, membershipCalls, {
    'GET /gateway/packageMembership/list': ({ signedIn, request }) =>
      membershipViews.list({ memberId: signedIn?.memberId ?? null, language: language(request) }),
    'GET /gateway/packageMembership/custom': ({ signedIn, request, query }) =>
      membershipViews.custom({ memberId: signedIn?.memberId ?? null, language: language(request) }, query),
    'POST /gateway/purchasedPackageItem/find': ({ signedIn, request, body }) =>
      membershipViews.find({ memberId: signedIn.memberId, language: language(request) }, body),
  });
}
