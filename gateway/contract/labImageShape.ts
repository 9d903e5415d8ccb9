import { Type } from '@sinclair/typebox';
import { Fields, Id, Instant, Nullable, OneOf } from './contract';
import { labImageStates } from './imageStates';

/** What lists, pages and pickers show of an image a member made. Of somebody else's it is there once it is published. */
export const labImageFields = {
  imageId: Id,
  name: Type.String(),
  tag: Type.String(),
  description: Type.String(),
  /** The image of the basic tree at its root. */
  base: Fields({ imageId: Type.String(), name: Type.String(), framework: Type.String() }),
  state: OneOf(labImageStates),
  progress: Nullable(Fields({ percent: Nullable(Type.Number()), detail: Type.String() })),
  /** Why it could not be saved, in the member’s language. */
  failure: Nullable(Fields({ code: Type.String(), hint: Type.String() })),
  /** Of the archive of its files, compressed. */
  sizeBytes: Nullable(Type.Integer()),
  /** Of what it adds to the system of its base image, where the engine keeps that. */
  layerBytes: Nullable(Type.Integer()),
  files: Nullable(Type.Integer()),
  publishedAt: Nullable(Instant),
  stars: Type.Integer(),
  /** Workshops ever made from it. */
  uses: Type.Integer(),
  isStarred: Type.Boolean(),
  isMine: Type.Boolean(),
  /** Whose it is, as others may know it. */
  owner: Type.String(),
  createdAt: Instant,
  readyAt: Nullable(Instant),
  /** The member’s own workshops that were made from it and are still there. */
  usedBy: Type.Array(Fields({ workshopId: Id, name: Type.String() })),
  /** False where this engine lacks what its base needs; `reason` says what. */
  isAvailable: Type.Boolean(),
  reason: Type.String(),
};

export const LabImage = Fields(labImageFields);

/** What an image was made from, nearest first. */
export const Ancestor = Fields({
  imageId: Id,
  name: Type.String(),
  tag: Type.String(),
  savedAt: Nullable(Instant),
  isMine: Type.Boolean(),
  isThere: Type.Boolean(),
});
