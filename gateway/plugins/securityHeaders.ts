import fastifyHelmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config';

/** What no page of ours uses, and nothing within one may. */
const PERMISSIONS_POLICY = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()';

const YEAR_SECONDS = 31_536_000;

/** Of an answer that no hook sees, because its request never became one: it shows nothing, loads nothing and stands in no frame. */
export const BARE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': PERMISSIONS_POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Headers of every answer. No inline script runs on the console's pages; antd writes its styles at run time, so styles may be inline. */
export async function registerSecurityHeaders(app: FastifyInstance, { publicUrl, staticHost }: Config): Promise<void> {
  const isSecure = publicUrl.startsWith('https:');
  const own = ["'self'", ...(staticHost ? [new URL(staticHost).origin] : [])];
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': own,
        'script-src': own,
        'style-src': [...own, "'unsafe-inline'"],
        'img-src': [...own, 'data:', 'blob:'],
        'font-src': [...own, 'data:'],
        'connect-src': own,
        'worker-src': [...own, 'blob:'],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: isSecure ? { maxAge: YEAR_SECONDS, includeSubDomains: false } : false,
    originAgentCluster: isSecure,
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', PERMISSIONS_POLICY);
    // An answer is a member's own unless its route says that it may be kept.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}
