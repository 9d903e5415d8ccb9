import { call } from '@/utils/request';

export function getBasicImageTree() {
  return call('GET /gateway/image/basicTree', {}, { isSilent: true });
}
