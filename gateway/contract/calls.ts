import { type AccountCalls, accountCalls } from './account';
import { type ImageCalls, imageCalls } from './image';
import { type TrackCalls, trackCalls } from './track';
import { type UserCalls, userCalls } from './user';
import { type WorkshopCalls, workshopCalls } from './workshop';

/** Every call of the wire that is built: the gateway implements, OpenAPI describes and mock mode answers exactly these. */
export const calls = { ...userCalls, ...accountCalls, ...imageCalls, ...workshopCalls, ...trackCalls };

/** Path → shapes; the console's `call()` is typed by it. */
export type Calls = UserCalls & AccountCalls & ImageCalls & WorkshopCalls & TrackCalls;
