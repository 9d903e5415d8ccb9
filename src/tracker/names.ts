import { elementPattern, errorTypePattern, scriptFilePattern } from '../../gateway/contract/trackLimits';
import type { Happening } from './outbox';

const element = new RegExp(elementPattern, 'u');
const errorType = new RegExp(errorTypePattern, 'u');
const scriptFile = new RegExp(scriptFilePattern, 'u');
/** Of the whole page, so they say nothing about what was clicked. */
const regions = new Set(['root', 'content']);
/** One of our own built scripts in an address or a line of a stack; extensions' and others' scripts are not our errors. */
const ownScript = /\/dist\/(?:[^\s?#:]*\/)?([^\s/?#:]+)(?:\?[^\s:]*)?(?::(\d+):(\d+))?/;

/** What was clicked: the id that the nearest element was given by us, as `data-track` or `id`. Generated ids are passed over. */
export function elementOf(target: EventTarget | null): string | null {
  for (let node = target instanceof Element ? target : null; node; node = node.parentElement) {
    const name = node.getAttribute('data-track') ?? node.id;
    if (regions.has(name)) return null;
    if (element.test(name)) return name;
  }
  return null;
}

/**
 * What went wrong, without a word of its message: messages hold what members typed, ids and addresses. The kind of error and the place
 * in the built script tell us as much as we need to find it.
 */
export function failureOf(
  reason: unknown,
  place: { file?: string; line?: number; column?: number } = {},
): Partial<Happening> | null {
  const name = reason instanceof Error ? reason.name : 'Error';
  const errorName = { errorType: errorType.test(name) ? name : 'Error' };
  const [, file = '', line, column] = ownScript.exec(place.file || (reason instanceof Error && reason.stack) || '') ?? [];
  if (!scriptFile.test(file)) return place.file ? null : errorName;
  return { ...errorName, file, line: Number(line ?? place.line ?? 0), column: Number(column ?? place.column ?? 0) };
}
