import { Type } from '@sinclair/typebox';
import { type CallTypes, defineCalls, Fields, Id, Instant, Nullable, OneOf, PageOf, Paging } from './contract';
import { communitySorts, imageLimits, labImageStates } from './imageStates';
import { LabImage } from './labImageShape';

const Variant = Fields({
  imageId: Type.String(),
  name: Type.String(),
  description: Type.String(),
  /** False where this engine lacks what the image needs; `reason` says what. */
  isAvailable: Type.Boolean(),
  reason: Type.String(),
});
const Version = Fields({ version: Type.String(), variants: Type.Array(Variant) });
const Framework = Fields({ framework: Type.String(), name: Type.String(), versions: Type.Array(Version) });
const Keyword = Type.Optional(Type.String({ maxLength: 40 }));

export const imageCalls = defineCalls({
  'GET /gateway/image/basicTree': {
    summary: 'The images offered to everybody: framework → version → variant.',
    access: 'member',
    data: Fields({ tree: Type.Array(Framework) }),
    errors: [],
  },
});

/** The images members make of their workshops, and where they push container images. */
export const madeImageCalls = defineCalls({
  'GET /gateway/image/privateList': {
    summary: 'The member’s own images in every state.',
    access: 'member',
    query: Fields({ ...Paging, keyword: Keyword, state: Type.Optional(OneOf(labImageStates)) }),
    data: PageOf(LabImage),
    errors: [],
  },
  'GET /gateway/image/communityList': {
    summary: 'The images members have published.',
    access: 'member',
    query: Fields({
      ...Paging,
      keyword: Keyword,
      framework: Type.Optional(Type.String({ maxLength: 64 })),
      /** Only those the member has given a star. */
      isStarred: Type.Optional(Type.Boolean()),
      sort: Type.Optional(OneOf(communitySorts)),
    }),
    data: PageOf(LabImage),
    errors: [],
  },
  'POST /gateway/image/publish': {
    summary: 'Shows an image of the member’s to everybody, its files too, or no longer.',
    access: 'member',
    body: Fields({
      imageId: Id,
      isPublished: Type.Boolean(),
      /** The files with names of secrets that may be seen all the same; others refuse the publishing. */
      acceptedPaths: Type.Optional(Type.Array(Type.String({ maxLength: 4096 }), { maxItems: imageLimits.secretPaths })),
    }),
    data: LabImage,
    errors: ['NOT_FOUND', 'REAL_NAME_REQUIRED', 'IMAGE_STATE_CONFLICT', 'IMAGE_HOLDS_SECRETS'],
    audited: 'body.imageId',
  },
  'POST /gateway/image/star': {
    summary: 'Gives an image a star, one a member, or takes it back.',
    access: 'member',
    body: Fields({ imageId: Id, isStarred: Type.Boolean() }),
    data: Fields({ imageId: Id, isStarred: Type.Boolean(), stars: Type.Integer() }),
    errors: ['NOT_FOUND'],
    audited: 'body.imageId',
  },
  'GET /gateway/image/harborInfo': {
    summary: 'Where the member pushes and pulls container images, and with which robot account, which is made at the first look.',
    access: 'member',
    data: Fields({
      /** False where this installation has no registry; the rest is empty then. */
      isConfigured: Type.Boolean(),
      registry: Type.String(),
      project: Type.String(),
      robot: Type.String(),
      secret: Type.String(),
      expiresAt: Nullable(Instant),
      loginLine: Type.String(),
      pushLine: Type.String(),
    }),
    errors: ['REGISTRY_UNAVAILABLE'],
    audited: 'self',
  },
});

export type ImageCalls = CallTypes<typeof imageCalls>;
export type MadeImageCalls = CallTypes<typeof madeImageCalls>;
