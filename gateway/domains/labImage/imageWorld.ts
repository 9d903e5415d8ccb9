import type { LabImageCalls } from '../../contract/labImage';
import type { TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';

type LabImage = LabImageCalls['POST /gateway/workshop/saveImage']['data'];

/** A stopped workshop that has a home with these files in it. */
export async function buildFurnishedWorkshop(
  test: TestApp,
  member: TestMember,
  files: Readonly<Record<string, string>> = { 'notes.txt': 'kept in the image' },
  options: { name?: string; imageId?: string } = {},
): Promise<string> {
  const { workshopId } = await test.buildWorkshop({ memberId: member.memberId, ...options });
  await test.engine.makeHome(workshopId);
  await writeHome(test, workshopId, files);
  return workshopId;
}

export async function writeHome(test: TestApp, workshopId: string, files: Readonly<Record<string, string>>): Promise<void> {
  const home = test.engine.simulate.homeFiles(workshopId);
  if (!home) throw new Error('the workshop has no home');
  for (const [path, content] of Object.entries(files)) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) home.makeFolder(`/home/lab/${parts.slice(0, depth).join('/')}`);
    if (!home.write(`/home/lab/${path}`, content, 'replace')) throw new Error(`${path} could not be written`);
  }
}

export function readHome(test: TestApp, workshopId: string, path: string): string | undefined {
  return test.engine.simulate.homeFiles(workshopId)?.read(`/home/lab/${path}`);
}

let named = 0;

/** Asks for an image to be saved; nobody saves it yet. */
export async function askToSave(
  test: TestApp,
  member: TestMember,
  workshopId: string,
  names: { name?: string; tag?: string } = {},
): Promise<LabImage> {
  named += 1;
  const body = { workshopId, name: `Image ${named}`, tag: 'v1', ...names };
  return (await test.as(member).send('POST /gateway/workshop/saveImage', { body })).data;
}

/** What waits is saved, or failed, when this resolves. */
export async function saveAll(test: TestApp): Promise<void> {
  while ((await test.services.imageSaves.runOnce()) > 0) await test.services.imageSaves.drain();
}

/** An image that is ready. */
export async function buildImage(
  test: TestApp,
  member: TestMember,
  options: { files?: Readonly<Record<string, string>>; name?: string; tag?: string; workshopId?: string } = {},
): Promise<string> {
  const { files, name, tag } = options;
  const workshopId = options.workshopId ?? (await buildFurnishedWorkshop(test, member, files));
  const names = { ...(name === undefined ? {} : { name }), ...(tag === undefined ? {} : { tag }) };
  const { imageId } = await askToSave(test, member, workshopId, names);
  await saveAll(test);
  return imageId;
}

export async function stateOfImage(test: Pick<TestApp, 'db'>, imageId: string) {
  return test.db.selectFrom('labImage').selectAll().where('id', '=', imageId).executeTakeFirstOrThrow();
}

export async function proveRealName(test: Pick<TestApp, 'db'>, { memberId }: TestMember): Promise<void> {
  await test.db.updateTable('member').set({ isRealName: true }).where('id', '=', memberId).execute();
}

/** Publishes an image of a member who has proven their name. */
export async function publishImage(test: TestApp, member: TestMember, imageId: string): Promise<void> {
  await proveRealName(test, member);
  const body = { imageId, isPublished: true };
  const { data } = await test.as(member).send('POST /gateway/image/publish', { body });
  if (data.publishedAt === null) throw new Error('the image was not published');
}
