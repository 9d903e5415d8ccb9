import fastifyCookie from '@fastify/cookie';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from './clock';
import type { Config } from './config';
import type { Db } from './db/client';
import { registerAccountRoutes } from './domains/account/account.routes';
import { registerBillRoutes } from './domains/account/bill.routes';
import { registerSaleDomain } from './domains/coupon/saleServices';
import { registerLabImageDomain } from './domains/labImage/labImageServices';
import { registerMembershipRoutes } from './domains/membership/membership.routes';
import { registerCommerceDomain } from './domains/order/commerceServices';
import { registerPointsRoutes } from './domains/points/points.routes';
import { registerTrackerRoutes } from './domains/tracker/tracker.routes';
import { registerIdentityPlugins, registerIdentityRoutes } from './domains/user/identity';
import { registerWorkshopFileRoutes } from './domains/workshop/workshopFile.routes';
import { registerWorkshopDomain } from './domains/workshop/workshopServices';
import type { ComputeEngine } from './drivers/compute/computeEngine';
import { HTTP_LIMITS, type HttpLimits, serverOptions } from './httpLimits';
import { registerAudit } from './plugins/audit';
import { registerConsoleFiles } from './plugins/consoleFiles';
import { answerUnreadable, registerEnvelope, sendRefusal } from './plugins/envelope';
import { registerOutsideLinks } from './plugins/outsideLinks';
import { registerOverload } from './plugins/overload';
import { registerPlainInput } from './plugins/plainInput';
import { registerProbes } from './plugins/probes';
import { registerRefusedUpgrade } from './plugins/refusedUpgrade';
import { registerRequestMetrics } from './plugins/requestMetrics';
import { registerRequestTime } from './plugins/requestTime';
import { BARE_HEADERS, registerSecurityHeaders } from './plugins/securityHeaders';
import { registerServerLoader } from './plugins/serverLoader';
import { registerSpecification } from './plugins/specification';
import { registerTrackerScript } from './plugins/trackerScript';
import { invalidField } from './refusal';
import type { Services } from './services';

/** What the gateway stands on; tests pass a simulated engine and their own clock, everything else is real. */
export interface Deps {
  config: Config;
  db: Db;
  pool: Pool;
  engine: ComputeEngine;
  clock: Clock;
  installation: { id: string; hmacKey: Buffer };
  /** Folder of the built console; null serves none (tests, and development with Umi's own server). */
  consoleFolder: string | null;
}

/** The gateway's HTTP server, not yet listening. */
export async function buildApp(
  deps: Deps,
  services: Services,
  logger: FastifyBaseLogger,
  limits: HttpLimits = HTTP_LIMITS,
): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'traceId' }),
    genReqId: () => uuidv7(),
    ...serverOptions(limits),
    forceCloseConnections: 'idle',
    // What fails before there is a route or a request answers with the envelope like everything else.
    frameworkErrors: (_error, request, reply) => sendRefusal(request, reply.headers(BARE_HEADERS), invalidField('path', 'address')),
    clientErrorHandler: answerUnreadable,
    trustProxy: deps.config.trustedProxies.length > 0 && deps.config.trustedProxies,
  });
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'querystring' ? queryValidator : bodyValidator).compile(schema));
  acceptEmptyJson(app);
  registerEnvelope(app);
  registerPlainInput(app);
  await app.register(fastifyCookie);
  app.decorateRequest('signedIn', null);
  await registerSecurityHeaders(app, deps.config);
  registerRequestMetrics(app);
  registerRefusedUpgrade(app, limits);
  registerOverload(app, limits);
  registerRequestTime(app, limits);
  await registerSpecification(app, deps.config);
  registerProbes(app, deps);
  registerAudit(app, services);
  registerIdentityPlugins(app, services, deps.config);
  registerDomains(app, deps, services);
  registerOutsideLinks(app, deps.config);
  registerServerLoader(app);
  if (deps.consoleFolder) await registerConsole(app, { ...deps.config, consoleFolder: deps.consoleFolder });
  return app;
}

/** What browsers load of us beside the calls. */
async function registerConsole(app: FastifyInstance, console: Config & { consoleFolder: string }): Promise<void> {
  await registerTrackerScript(app, console);
  await registerConsoleFiles(app, console);
}

/** The calls of every domain, one line each. */
function registerDomains(app: FastifyInstance, deps: Deps, services: Services): void {
  registerIdentityRoutes(app, services, deps.config);
  registerAccountRoutes(app, services);
  registerBillRoutes(app, services);
  registerWorkshopDomain(app, services, deps);
  registerWorkshopFileRoutes(app, services);
  registerLabImageDomain(app, services);
  registerTrackerRoutes(app, services);
  registerSaleDomain(app, services);
  registerMembershipRoutes(app, services);
  registerPointsRoutes(app, services);
  registerCommerceDomain(app, services);
}

const strict = { allErrors: true, useDefaults: true, removeAdditional: false, strict: false } as const;
const bodyValidator = addFormats(new Ajv({ ...strict, coerceTypes: false }));
/** A query is text: numbers and booleans are read from it. */
const queryValidator = addFormats(new Ajv({ ...strict, coerceTypes: true }));

/** An empty body with JSON content type is no body (logout), not an error; any other content type is refused with 415. */
function acceptEmptyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body as string, done);
  });
}
