import type { TextFile } from '@/services/workshopFile';

/** A text being edited: as it was read, and as it stands in the page. */
export interface Draft {
  path: string;
  read: Pick<TextFile, 'text' | 'version'>;
  text: string;
}

/** Edited text outlives its tab: whoever looks at the terminal in between finds it as it was left. */
const drafts = new Map<string, Draft>();

export const draftOf = (workshopId: string) => drafts.get(workshopId);
export const isUnsaved = ({ read, text }: Draft) => read.text !== text;

export function keepDraft(workshopId: string, draft: Draft | undefined): void {
  if (draft && isUnsaved(draft)) drafts.set(workshopId, draft);
  else drafts.delete(workshopId);
}

window.addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});
