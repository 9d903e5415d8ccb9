import { Type } from '@sinclair/typebox';
import { type CallTypes, defineCalls, Fields } from './contract';

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

export const imageCalls = defineCalls({
  'GET /gateway/image/basicTree': {
    summary: 'The images offered to everybody: framework → version → variant.',
    access: 'member',
    data: Fields({ tree: Type.Array(Framework) }),
    errors: [],
  },
});

export type ImageCalls = CallTypes<typeof imageCalls>;
