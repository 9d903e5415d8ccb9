import type { FastifyInstance } from 'fastify';

/**
 * Closes the connection of a request to upgrade that no route took, with its answer. Node hands such a connection over for good: none of
 * its time-outs watches it any more, so that anybody could keep any number open for ever, and a closing server would wait for them.
 */
export function registerRefusedUpgrade(app: FastifyInstance): void {
  app.addHook('onResponse', async ({ raw, ws: isTaken }) => {
    if (raw.headers.upgrade !== undefined && !isTaken) raw.socket.destroySoon();
  });
}
