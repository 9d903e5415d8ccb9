import type { FastifyInstance } from 'fastify';
import { accountCalls } from '../../contract/account';
import { languageOf } from '../../locales/messages';
import { registerCalls } from '../../plugins/callRouter';
import type { AccountService } from './account.service';
import type { AlertService } from './alert.service';

/** The member's balance and its changes; every call reads the books of the signed-in member only. */
export function registerAccountRoutes(
  app: FastifyInstance,
  { account, alerts }: { account: AccountService; alerts: AlertService },
): void {
  registerCalls(app, accountCalls, {
    'GET /gateway/account/remainDcu': ({ signedIn }) => account.getRemainDcu(signedIn.memberId),
    'GET /gateway/account/overview': ({ signedIn }) => account.getOverview(signedIn.memberId),
    'POST /gateway/account/setAlert': ({ signedIn, body, request }) =>
      alerts.set(signedIn.memberId, body, languageOf(request.headers['accept-language'])),
    'POST /gateway/dcuChange/pageFind': ({ signedIn, request, body: { current = 1, pageSize = 10, ...filter } }) =>
      account.pageChanges(signedIn.memberId, languageOf(request.headers['accept-language']), { current, pageSize, ...filter }),
  });
}
