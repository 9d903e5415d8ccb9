import type { ImageCalls, MadeImageCalls } from '../contract/image';
import type { LabImageCalls } from '../contract/labImage';
import type { CallRow, RowsOf, ThingKind, World } from './world';

function byBody(kind: ThingKind, others: object = {}): CallRow {
  return {
    input: async (world, member) => ({ body: { imageId: await world.make(kind, member), ...others } }),
    ids: { 'body.imageId': kind },
  };
}

const byQuery: CallRow = {
  input: async (world, member) => ({ query: { imageId: await world.make('savedImage', member) } }),
  ids: { 'query.imageId': 'savedImage' },
};

async function proveRealName({ test }: World, memberId: string): Promise<void> {
  await test.db.updateTable('member').set({ isRealName: true }).where('id', '=', memberId).execute();
}

export const imageRows: RowsOf<ImageCalls & MadeImageCalls & LabImageCalls> = {
  'GET /gateway/image/basicTree': { input: () => ({}) },
  'GET /gateway/image/privateList': { input: () => ({}) },
  'GET /gateway/image/communityList': { input: () => ({}) },
  'POST /gateway/image/publish': {
    ids: { 'body.imageId': 'savedImage' },
    input: async (world, member) => {
      await proveRealName(world, member.memberId);
      return { body: { imageId: await world.make('savedImage', member), isPublished: true } };
    },
  },
  'POST /gateway/image/star': byBody('savedImage', { isStarred: true }),
  'GET /gateway/image/harborInfo': { input: () => ({}) },
  'POST /gateway/workshop/saveImage': {
    ids: { 'body.workshopId': 'runningWorkshop' },
    input: async (world, member) => ({
      body: { workshopId: await world.make('runningWorkshop', member), name: 'Saved by its row', tag: 'v1' },
    }),
  },
  'GET /gateway/labImage/list': { input: () => ({}) },
  'GET /gateway/labImage/detail': byQuery,
  'GET /gateway/labImage/download': byQuery,
  'POST /gateway/labImage/cancel': byBody('savingImage'),
  'POST /gateway/labImage/delete': byBody('savedImage'),
};
