import { Type } from '@sinclair/typebox';
import { type CallTypes, defineCalls, Fields, Id, Instant, Nullable, OneOf } from './contract';
import { limits } from './limits';

/** From the home on, parts joined by `/`; empty for the home itself. */
const Path = Type.String({ maxLength: limits.filePathLength });
const Version = Type.String({ minLength: 1, maxLength: 200 });

const FileEntry = Fields({
  name: Type.String(),
  /** `other` is what cannot be opened here: devices, pipes, names that are no text. */
  kind: OneOf(['file', 'folder', 'link', 'other']),
  sizeBytes: Type.Integer({ minimum: 0 }),
  modifiedAt: Instant,
  isWritable: Type.Boolean(),
  /** What a link says; it is never followed. */
  linksTo: Nullable(Type.String()),
});

const WrittenFile = Fields({
  path: Type.String(),
  sizeBytes: Type.Integer({ minimum: 0 }),
  version: Version,
});

const seen = ['NOT_FOUND', 'WORKSHOP_STATE_CONFLICT', 'FILES_UNAVAILABLE', 'FILE_NAME_INVALID', 'FILE_FORBIDDEN'] as const;
const written = ['FILE_EXISTS', 'FILE_NOT_A_FOLDER', 'FILE_QUOTA'] as const;

/** The files in a workshop's home, whether it runs or not. */
export const workshopFileCalls = defineCalls({
  'GET /gateway/workshop/files': {
    summary: 'What is in a folder, folders first, at most 5,000; with what the home and all of the member’s take and may take.',
    access: 'member',
    query: Fields({ workshopId: Id, path: Type.Optional(Type.String({ maxLength: limits.filePathLength, default: '' })) }),
    data: Fields({
      path: Type.String(),
      entries: Type.Array(FileEntry),
      /** There are more than are listed. */
      isCut: Type.Boolean(),
      /** False until the first start or the first file. */
      isHomeThere: Type.Boolean(),
      usedBytes: Type.Integer({ minimum: 0 }),
      limitBytes: Type.Integer({ minimum: 0 }),
      memberUsedBytes: Type.Integer({ minimum: 0 }),
      memberLimitBytes: Type.Integer({ minimum: 0 }),
    }),
    errors: [...seen, 'FILE_NOT_FOUND', 'FILE_NOT_A_FOLDER'],
  },
  'GET /gateway/workshop/file': {
    summary: 'A text file of at most 1 MiB, with the version that saving it needs.',
    access: 'member',
    query: Fields({ workshopId: Id, path: Path }),
    data: Fields({ text: Type.String(), version: Version, isWritable: Type.Boolean(), sizeBytes: Type.Integer({ minimum: 0 }) }),
    errors: [...seen, 'FILE_NOT_FOUND', 'FILE_TOO_LARGE_TO_EDIT', 'FILE_NOT_TEXT'],
  },
  'POST /gateway/workshop/saveFile': {
    summary: 'Writes a text file over the version that was read; without a version only where nothing is.',
    access: 'member',
    body: Fields({
      workshopId: Id,
      path: Path,
      text: Type.String({ maxLength: limits.editableBytes }),
      version: Nullable(Version),
    }),
    data: WrittenFile,
    errors: [...seen, ...written, 'FILE_CHANGED', 'FILE_TOO_LARGE_TO_EDIT'],
    // Text of the greatest length, each letter escaped.
    bodyLimitBytes: 7 * limits.editableBytes,
  },
  'POST /gateway/workshop/makeFolder': {
    summary: 'Makes a folder.',
    access: 'member',
    body: Fields({ workshopId: Id, path: Path }),
    data: Fields({ path: Type.String() }),
    errors: [...seen, ...written, 'FILE_NOT_FOUND'],
  },
  'POST /gateway/workshop/renameFile': {
    summary: 'Renames or moves a file or a folder, never over something that is there.',
    access: 'member',
    body: Fields({ workshopId: Id, path: Path, to: Path }),
    data: Fields({ path: Type.String() }),
    errors: [...seen, 'FILE_EXISTS', 'FILE_NOT_A_FOLDER', 'FILE_NOT_FOUND'],
  },
  'POST /gateway/workshop/deleteFiles': {
    summary: 'Deletes files and whole folders for good; what is missing is done.',
    access: 'member',
    body: Fields({ workshopId: Id, paths: Type.Array(Path, { minItems: 1, maxItems: 100 }) }),
    data: Fields({ deleted: Type.Integer({ minimum: 0 }) }),
    errors: [...seen, 'FILE_NOT_A_FOLDER'],
    audited: 'body.workshopId',
  },
  'POST /gateway/workshop/upload': {
    summary:
      'Writes the body to a file; the folders on the way are made, and nothing half-written is ever seen. Needs Content-Length.',
    access: 'member',
    query: Fields({
      workshopId: Id,
      path: Path,
      onConflict: Type.Optional(OneOf(['refuse', 'replace', 'keepBoth'])),
    }),
    upload: 'application/octet-stream',
    data: WrittenFile,
    errors: [...seen, ...written],
  },
  'GET /gateway/workshop/download': {
    summary: 'A file, or the part a Range names, or a folder as a zip made as it is read; always as an attachment.',
    access: 'member',
    query: Fields({ workshopId: Id, path: Path }),
    data: Type.String({ format: 'binary' }),
    stream: 'application/octet-stream',
    errors: [...seen, 'FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
  },
});

export type WorkshopFileCalls = CallTypes<typeof workshopFileCalls>;
