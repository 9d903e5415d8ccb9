import type { ImageEntry } from '../../catalog/entries';
import type { LabImageCalls } from '../../contract/labImage';
import { type ImageFailure, imageFailures, imageWordOf, saveSteps } from '../../locales/imageWords';
import type { Language } from '../../locales/messages';
import { shownBytes } from '../workshop/workshop.rules';
import { maskUsername } from './labImage.rules';
import type { AncestorRow, LabImageView } from './labImageView.repository';

export type LabImageWire = LabImageCalls['GET /gateway/labImage/list']['data']['list'][number];

interface Context {
  viewerId: string;
  language: Language;
  base: ImageEntry;
  /** Why it cannot be started here; empty when it can. */
  reason: string;
}

/** The only place an image's row becomes wire. */
export function presentLabImage(row: LabImageView, { viewerId, language, base, reason }: Context): LabImageWire {
  const isMine = row.memberId === viewerId;
  return {
    imageId: row.id,
    name: row.name,
    tag: row.tag,
    description: row.description,
    base: { imageId: base.imageId, name: base.name[language], framework: base.framework },
    state: row.state === 'DELETED' ? 'FAILED' : row.state,
    progress: progressOf(row, language),
    failure: failureOf(row, language),
    sizeBytes: numberOf(row.archiveBytes),
    layerBytes: numberOf(row.layerBytes),
    files: row.files,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    stars: row.stars,
    uses: row.uses,
    isStarred: row.isStarred,
    isMine,
    owner: isMine ? row.username : maskUsername(row.username),
    createdAt: row.createdAt.toISOString(),
    readyAt: row.readyAt?.toISOString() ?? null,
    usedBy: row.usedBy,
    isAvailable: reason === '',
    reason,
  };
}

function progressOf({ state, progress }: LabImageView, language: Language): LabImageWire['progress'] {
  if (state !== 'SAVING') return null;
  const [step = '', bytes = '0'] = (progress?.detail ?? '').split(' ');
  const known = saveSteps.find((one) => one === step);
  const size = shownBytes(BigInt(/^\d+$/.test(bytes) ? bytes : '0'));
  return { percent: progress?.percent ?? null, detail: imageWordOf(known ?? 'WAITING', language, { size }) };
}

function failureOf({ state, failureCode }: LabImageView, language: Language): LabImageWire['failure'] {
  if (state !== 'FAILED' || failureCode === null) return null;
  const known: ImageFailure = imageFailures.find((code) => code === failureCode) ?? 'INTERRUPTED';
  return { code: failureCode, hint: imageWordOf(known, language) };
}

function numberOf(bytes: bigint | null): number | null {
  return bytes === null ? null : Number(bytes);
}

/** Of somebody else's image that is not published, that there was one is all that is said. */
export function presentAncestor(
  row: AncestorRow,
  viewerId: string,
): LabImageCalls['GET /gateway/labImage/detail']['data']['history'][number] {
  const isMine = row.memberId === viewerId;
  const isVisible = isMine || row.publishedAt !== null;
  return {
    imageId: row.id,
    name: isVisible ? row.name : '',
    tag: isVisible ? row.tag : '',
    savedAt: isVisible ? (row.readyAt?.toISOString() ?? null) : null,
    isMine,
    isThere: isVisible && row.state === 'READY',
  };
}
