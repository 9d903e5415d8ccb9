import type { StateMark } from '@/components/StateBadge/stateMark';
import type { LabImage } from '@/services/labImage';
import type { LabImageState } from '../../../../../../gateway/contract/imageStates';

export const imageTabs = ['basic', 'community', 'mine', 'registry'] as const;
export type ImageTab = (typeof imageTabs)[number];

export const imageMarks: Readonly<Record<LabImageState, StateMark>> = {
  SAVING: { mark: 'ring', tone: 'moving', filled: 0.5 },
  READY: { mark: 'check', tone: 'running', filled: 1 },
  FAILED: { mark: 'triangle', tone: 'failed', filled: 1 },
};

export function calledOf({ name, tag }: Pick<LabImage, 'name' | 'tag'>): string {
  return `${name}:${tag}`;
}

/** The list of workshops with the drawer open on an image. */
export function startPath(imageId: string): string {
  return `/main/myLab/workshop?create=1&image=${encodeURIComponent(imageId)}`;
}
