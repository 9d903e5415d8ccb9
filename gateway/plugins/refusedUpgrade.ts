import type { FastifyInstance } from 'fastify';
import type { HttpLimits } from '../httpLimits';

/**
 * Closes the connection of a request to upgrade that no route took, with its answer, or once nobody reads that. Node hands such a
 * connection over for good: none of its time-outs watches it any more, so that anybody could keep any number open for ever, and a closing
 * server would wait for them.
 */
export function registerRefusedUpgrade(app: FastifyInstance, { silentMs }: Pick<HttpLimits, 'silentMs'>): void {
  app.addHook('onRequest', async ({ raw }) => {
    // Whoever takes the connection over sets its time-out anew.
    if (raw.headers.upgrade !== undefined) raw.socket.setTimeout(silentMs, () => raw.socket.destroy());
  });
  app.addHook('onResponse', async ({ raw, ws: isTaken }) => {
    if (raw.headers.upgrade !== undefined && !isTaken) raw.socket.destroySoon();
  });
}
