import { readTextFile, saveTextFile } from '@/services/workshopFile';
import { isCallError } from '@/utils/callError';
import { errors } from '../../../../../../../gateway/contract/errors';
import type { Draft } from './drafts';

const MOST_COPIES = 20;

/** Over whatever is there now. */
export async function overwrite(workshopId: string, { path, text }: Draft) {
  try {
    const { version } = await readTextFile(workshopId, path);
    return await saveTextFile({ workshopId, path, text, version });
  } catch (error) {
    if (!isCallError(error, errors.FILE_NOT_FOUND.code)) throw error;
    return saveTextFile({ workshopId, path, text, version: null });
  }
}

/** Beside the file, under the first free name. */
export async function saveCopy(workshopId: string, { path, text }: Draft) {
  for (let number = 2; ; number += 1) {
    try {
      return await saveTextFile({ workshopId, path: copyPath(path, number), text, version: null });
    } catch (error) {
      if (!isCallError(error, errors.FILE_EXISTS.code) || number > MOST_COPIES) throw error;
    }
  }
}

export function copyPath(path: string, number: number): string {
  const [, stem = path, ending = ''] = /^(.*?[^/])(\.[^./]+)?$/s.exec(path) ?? [];
  return `${stem} (${number})${ending}`;
}
