import type { FastifyInstance } from 'fastify';
import { trackCalls } from '../../contract/track';
import { registerCalls } from '../../plugins/callRouter';
import { isAddressTelling, limitedAddress } from '../../plugins/rateLimitAddress';
import { asksForNoTracking } from './tracker.rules';
import type { TrackerService } from './tracker.service';

/** The tracker's beacon; of who sends it only its limits know. */
export function registerTrackerRoutes(app: FastifyInstance, { tracker }: { tracker: TrackerService }): void {
  registerCalls(app, trackCalls, {
    'POST /gateway/track/events': ({ body, signedIn, request }) =>
      tracker.recordBatch(body, {
        address: limitedAddress(request.ip),
        isAddressTelling: isAddressTelling(request.ip),
        isSignedIn: signedIn !== null,
        isDeclined: asksForNoTracking(request.headers),
      }),
  });
}
