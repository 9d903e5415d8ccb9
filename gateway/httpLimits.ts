import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';

/** How long and how much a client may take; tests pass smaller ones. */
export interface HttpLimits {
  /** Until the last header of a request has come. */
  headersMs: number;
  /** Until the last byte of a request has come. */
  requestMs: number;
  /** How long a connection nothing comes on is kept; longer than the usual 60 s of a proxy in front, which must close first. */
  keepAliveMs: number;
  /** Until a connection on which an answer does not move is closed: nobody reads it. Longer than the console waits for one, 200 s. */
  silentMs: number;
  /** How often connections are looked through for slow ones; a time-out is late by this much at most. */
  checkEveryMs: number;
  bodyBytes: number;
  /** Beyond this mean lateness of the event loop requests are turned away; 0 never does. */
  loopDelayMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersMs: 15_000,
  requestMs: 30_000,
  keepAliveMs: 72_000,
  silentMs: 240_000,
  checkEveryMs: 5_000,
  bodyBytes: 1_048_576,
  loopDelayMs: 500,
};

/** The limits as Fastify and Node's server take them. */
export function serverOptions(limits: HttpLimits) {
  return {
    bodyLimit: limits.bodyBytes,
    // Kept by a plugin, which lets uploads take longer.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.silentMs,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.checkEveryMs },
  } as const satisfies FastifyHttpOptions<Server>;
}
