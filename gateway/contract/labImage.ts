import { Type } from '@sinclair/typebox';
import { type CallTypes, defineCalls, Fields, Id, Nullable, OneOf } from './contract';
import { imageLimits, imageSavings } from './imageStates';
import { Ancestor, LabImage, labImageFields } from './labImageShape';

/** Nothing that cannot be seen, which would make two names look alike; emoji need the joiner. */
const VISIBLE = '(?:[^\\p{Cc}\\p{Cf}\\p{Cs}]|\\u200d)';
const ImageName = Type.String({
  minLength: imageLimits.name.min,
  maxLength: imageLimits.name.max,
  pattern: `^${VISIBLE}*[^\\s\\p{Cc}\\p{Cf}\\p{Cs}]${VISIBLE}*$`,
});
const Tag = Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$' });
/** Lines are fine, other control characters are not. */
const Description = Type.String({
  maxLength: imageLimits.descriptionLength,
  pattern: '^(?:[^\\p{Cc}\\p{Cf}\\p{Cs}]|[\\n\\u200d])*$',
});
const ByImage = Fields({ imageId: Id });

export const labImageCalls = defineCalls({
  'POST /gateway/workshop/saveImage': {
    summary:
      'Saves a workshop’s files, and where the engine can its system, as an image of the member’s; goes on behind the answer.',
    access: 'member',
    body: Fields({ workshopId: Id, name: ImageName, tag: Tag, description: Type.Optional(Description) }),
    data: LabImage,
    errors: [
      'NOT_FOUND',
      'WORKSHOP_STATE_CONFLICT',
      'NOTHING_TO_SAVE',
      'ENGINE_CANNOT_SAVE',
      'ENGINE_UNAVAILABLE',
      'ENGINE_ELSEWHERE',
      'IMAGE_LIMIT',
      'IMAGE_NAME_TAKEN',
      'IMAGE_STATE_CONFLICT',
      'MEMBER_STORAGE_LIMIT',
      'IDEMPOTENCY_CONFLICT',
    ],
    audited: 'data.imageId',
    idempotent: true,
  },
  'GET /gateway/labImage/list': {
    summary: 'The member’s images that can be used now, and what saving another one keeps.',
    access: 'member',
    data: Fields({
      list: Type.Array(LabImage),
      /** Null while the engine does not answer. */
      saves: Nullable(OneOf(imageSavings)),
      kept: Type.Integer(),
      limit: Type.Integer(),
    }),
    errors: [],
  },
  'GET /gateway/labImage/detail': {
    summary: 'An image of the member’s, or a published one: checksum, history, what of it looks secret.',
    access: 'member',
    query: ByImage,
    data: Fields({
      ...labImageFields,
      sha256: Nullable(Type.String()),
      /** The workshop it was saved from; null for somebody else’s. */
      workshop: Nullable(Fields({ workshopId: Id, name: Type.String(), isThere: Type.Boolean() })),
      history: Type.Array(Ancestor),
      /** Files by whose names one keeps keys and passwords; empty for somebody else’s. */
      secretPaths: Type.Array(Type.String()),
    }),
    errors: ['NOT_FOUND'],
  },
  'GET /gateway/labImage/download': {
    summary: 'The files of an image as one archive (tar.gz), whole or in ranges.',
    access: 'member',
    query: ByImage,
    stream: 'application/gzip',
    data: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/gzip' }),
    errors: ['NOT_FOUND', 'IMAGE_STATE_CONFLICT', 'RANGE_NOT_SATISFIABLE'],
  },
  'POST /gateway/labImage/cancel': {
    summary: 'Ends the saving of an image; nothing of it is kept.',
    access: 'member',
    body: ByImage,
    data: ByImage,
    errors: ['NOT_FOUND', 'IMAGE_STATE_CONFLICT'],
    audited: 'body.imageId',
  },
  'POST /gateway/labImage/delete': {
    summary: 'Deletes an image that none of the member’s workshops use; those of others keep what they have.',
    access: 'member',
    body: ByImage,
    data: ByImage,
    errors: ['NOT_FOUND', 'IMAGE_IN_USE', 'IMAGE_STATE_CONFLICT'],
    audited: 'body.imageId',
  },
});

export type LabImageCalls = CallTypes<typeof labImageCalls>;
