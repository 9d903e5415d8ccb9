import { call } from '@/utils/request';
import type { Calls } from '../../gateway/contract/calls';

export type LabImage = Calls['GET /gateway/labImage/list']['data']['list'][number];
export type LabImageDetail = Calls['GET /gateway/labImage/detail']['data'];
export type OwnImages = Calls['GET /gateway/labImage/list']['data'];

// Reads are silent: the page that asks shows the error in its place, with a retry.

export function getOwnImages() {
  return call('GET /gateway/labImage/list', {}, { isSilent: true });
}

export function pageOwnImages(query: Calls['GET /gateway/image/privateList']['query']) {
  return call('GET /gateway/image/privateList', { query }, { isSilent: true });
}

export function pageCommunityImages(query: Calls['GET /gateway/image/communityList']['query']) {
  return call('GET /gateway/image/communityList', { query }, { isSilent: true });
}

export function getImageDetail(imageId: string) {
  return call('GET /gateway/labImage/detail', { query: { imageId } }, { isSilent: true });
}

export function getHarborInfo() {
  return call('GET /gateway/image/harborInfo', {}, { isSilent: true });
}

/** Silent: the dialog that asks shows what is refused. */
export function saveImage(body: Calls['POST /gateway/workshop/saveImage']['body'], idempotencyKey: string) {
  return call('POST /gateway/workshop/saveImage', { body }, { isSilent: true, idempotencyKey });
}

export function cancelImage(imageId: string) {
  return call('POST /gateway/labImage/cancel', { body: { imageId } });
}

/** Silent: the dialog that asks shows what is refused. */
export function deleteImage(imageId: string) {
  return call('POST /gateway/labImage/delete', { body: { imageId } }, { isSilent: true });
}

/** Silent: the dialog that asks shows what is refused. */
export function publishImage(body: Calls['POST /gateway/image/publish']['body']) {
  return call('POST /gateway/image/publish', { body }, { isSilent: true });
}

export function starImage(imageId: string, isStarred: boolean) {
  return call('POST /gateway/image/star', { body: { imageId, isStarred } });
}

/** Where the browser fetches the archive itself. */
export function imageDownloadPath(imageId: string): string {
  return `/gateway/labImage/download?imageId=${encodeURIComponent(imageId)}`;
}
