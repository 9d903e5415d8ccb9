import { Type } from '@sinclair/typebox';
import { type CallTypes, defineCalls, Fields, Id, Instant, Nullable } from './contract';
import { limits } from './limits';
import { ByWorkshop, Workshop } from './workshopShape';

const ofRun = Fields({ workshopId: Id, sessionId: Type.Optional(Id) });

/** Letting run on, ending all, and what a run printed. */
export const workshopLifeCalls = defineCalls({
  'POST /gateway/workshop/extend': {
    summary: 'Adds hours to the maximum of the present run, within the level’s; without hours, only its idle time begins anew.',
    access: 'member',
    body: Fields({ ...ByWorkshop.properties, hours: Type.Optional(Type.Integer(limits.extendHours)) }),
    data: Workshop,
    errors: ['NOT_FOUND', 'WORKSHOP_STATE_CONFLICT', 'EXTENSION_LIMIT'],
    audited: 'body.workshopId',
  },
  'POST /gateway/workshop/stopAll': {
    summary: 'Wishes every lab of the member to stop; answers how many that concerns.',
    access: 'member',
    data: Fields({ stopping: Type.Integer({ minimum: 0 }) }),
    errors: [],
    audited: 'self',
  },
  'GET /gateway/workshop/logs': {
    summary: 'The tail of what the present or, without one, the last run printed, as text; or of the run named.',
    access: 'member',
    query: ofRun,
    data: Fields({
      /** Null while there was no run. */
      sessionId: Nullable(Id),
      text: Type.String(),
      /** Earlier output is not kept. */
      isCut: Type.Boolean(),
      /** The run goes on: asked again, there may be more. */
      isLive: Type.Boolean(),
      endedAt: Nullable(Instant),
    }),
    errors: ['NOT_FOUND', 'ENGINE_UNAVAILABLE', 'ENGINE_ELSEWHERE'],
  },
  'GET /gateway/workshop/logsDownload': {
    summary: 'The same as a file.',
    access: 'member',
    query: ofRun,
    data: Type.String(),
    errors: ['NOT_FOUND', 'ENGINE_UNAVAILABLE', 'ENGINE_ELSEWHERE'],
    stream: 'text/plain; charset=utf-8',
  },
});

export type WorkshopLifeCalls = CallTypes<typeof workshopLifeCalls>;
