import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { LabImage, LabImageDetail } from '@/services/labImage';
import { type Answer, answerCalls, type MadeCall, refusal, success } from '@/testing/gateway';
import { renderPage } from '@/testing/renderPage';
import ImagesPage from './index';

const TREE = 'GET /gateway/image/basicTree';
const OWN = 'GET /gateway/labImage/list';
const MINE = 'GET /gateway/image/privateList';
const COMMUNITY = 'GET /gateway/image/communityList';
const DETAIL = 'GET /gateway/labImage/detail';
const STAR = 'POST /gateway/image/star';
const PUBLISH = 'POST /gateway/image/publish';
const REMOVE = 'POST /gateway/labImage/delete';
const CANCEL = 'POST /gateway/labImage/cancel';
const HARBOR = 'GET /gateway/image/harborInfo';

function buildImage(change: Partial<LabImage> = {}): LabImage {
  return {
    imageId: '01a1feb6-81a4-74d3-b05f-6186d564c386',
    name: 'Course',
    tag: 'v1',
    description: 'For the second lesson',
    base: { imageId: 'shell', name: 'Shell', framework: 'shell' },
    state: 'READY',
    progress: null,
    failure: null,
    sizeBytes: 2_097_152,
    layerBytes: null,
    files: 7,
    publishedAt: null,
    stars: 3,
    uses: 1,
    isStarred: false,
    isMine: true,
    owner: 'alice',
    createdAt: '2026-11-01T08:00:00.000Z',
    readyAt: '2026-11-01T08:01:00.000Z',
    usedBy: [],
    isAvailable: true,
    reason: '',
    ...change,
  };
}

function buildDetail(change: Partial<LabImageDetail> = {}): LabImageDetail {
  return { ...buildImage(), sha256: 'ab'.repeat(32), workshop: null, history: [], secretPaths: [], ...change };
}

const variant = { imageId: 'shell', name: 'Shell', description: 'A command line', isAvailable: true, reason: '' };
const tree = success({
  tree: [
    { framework: 'shell', name: 'Shell', versions: [{ version: 'Linux', variants: [variant] }] },
    {
      framework: 'r',
      name: 'R',
      versions: [
        {
          version: '4',
          variants: [{ ...variant, imageId: 'r', name: 'R 4', isAvailable: false, reason: 'this machine lacks R.' }],
        },
      ],
    },
  ],
});
const pageOf = (...list: LabImage[]) => success({ list, total: list.length });
const own = success({ list: [], saves: 'home', kept: 1, limit: 2 });

async function open(search: string, answers: Record<string, Answer | ((call: MadeCall) => Answer)> = {}) {
  const made = answerCalls({ [TREE]: tree, [OWN]: own, [MINE]: pageOf(), [COMMUNITY]: pageOf(), ...answers });
  renderPage(<ImagesPage />, { at: `/images${search}`, route: '/images' });
  await screen.findByRole('heading', { name: 'Images', level: 1 });
  return {
    user: userEvent.setup(),
    place: () => screen.getByTestId('place').textContent,
    bodies: (key: string) => made.filter((call) => call.key === key).map(({ body }) => body),
    queries: (key: string) => made.filter((call) => call.key === key).map(({ url }) => url.search),
  };
}

describe('basic images', () => {
  it('stand under their framework, start a lab, and say why where they cannot', async () => {
    const { user, place } = await open('');

    expect(await screen.findByText('Not here: this machine lacks R.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Start a lab from Shell' }));
    expect(place()).toBe('/main/myLab/workshop?create=1&image=shell');
  });

  it('that could not be loaded say so and are asked for again', async () => {
    let answer = refusal(50003, 'The service cannot answer right now.', { status: 503 });
    const { user } = await open('', { [TREE]: () => answer });
    expect(await screen.findByText('The service cannot answer right now.')).toBeVisible();
    answer = tree;

    await user.click(screen.getByRole('button', { name: 'Try again' }));

    expect(await screen.findByRole('heading', { name: 'R 4' })).toBeVisible();
  });
});

describe('images of the community', () => {
  it('take a star and give it back', async () => {
    const image = buildImage({ isMine: false, owner: 'b***b', publishedAt: '2026-11-02T00:00:00.000Z' });
    const { user, bodies } = await open('?tab=community', {
      [COMMUNITY]: pageOf(image),
      [STAR]: ({ body }) => success({ imageId: image.imageId, stars: 4, isStarred: Object(body).isStarred }),
    });
    const card = within(await screen.findByRole('article', { name: 'Course:v1' }));
    expect(card.getByText('by b***b')).toBeVisible();

    await user.click(card.getByRole('button', { name: 'Give Course:v1 a star' }));

    expect(await card.findByRole('button', { name: 'Take the star of Course:v1 back', pressed: true })).toHaveTextContent('4');
    expect(bodies(STAR)).toEqual([{ imageId: image.imageId, isStarred: true }]);
  });

  it('are searched and sorted by the address', async () => {
    const { user, queries, place } = await open(
      '?tab=community&community.keyword=data&community.sort=newest&community.isStarred=true',
    );

    await waitFor(() => expect(queries(COMMUNITY)[0]).toContain('keyword=data'));
    expect(queries(COMMUNITY)[0]).toContain('sort=newest');
    expect(queries(COMMUNITY)[0]).toContain('isStarred=true');
    const search = screen.getByRole('searchbox', { name: 'Search images' });
    await user.clear(search);
    await user.type(search, 'maths{Enter}');
    await waitFor(() => expect(place()).toContain('community.keyword=maths'));
  });

  it('say so when there are none', async () => {
    await open('?tab=community');

    expect(await screen.findByText(/^Nobody has published an image yet/)).toBeVisible();
  });
});

describe('images of one’s own', () => {
  it('show how far they are while they are saved, and are cancelled', async () => {
    const image = buildImage({ state: 'SAVING', progress: { percent: 40, detail: 'packing the files: 3 MB' }, sizeBytes: null });
    const { user, bodies } = await open('?tab=mine', {
      [MINE]: pageOf(image),
      [CANCEL]: success({ imageId: image.imageId }),
    });
    const card = within(await screen.findByRole('article', { name: 'Course:v1' }));

    expect(card.getByRole('progressbar', { name: 'Saving' })).toHaveAttribute('aria-valuenow', '40');
    expect(card.getByText('packing the files: 3 MB')).toBeVisible();
    expect(await screen.findByText('1 of 2 images kept')).toBeVisible();
    await user.click(card.getByRole('button', { name: 'Cancel saving' }));
    await waitFor(() => expect(bodies(CANCEL)).toEqual([{ imageId: image.imageId }]));
  });

  it('say why they could not be saved', async () => {
    await open('?tab=mine', {
      [MINE]: pageOf(buildImage({ state: 'FAILED', failure: { code: 'STORAGE_LIMIT', hint: 'Too much.' } })),
    });

    expect(await screen.findByText('Too much.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Publish' })).not.toBeInTheDocument();
  });

  it('are published after a look at what looks secret', async () => {
    const { user, bodies } = await open('?tab=mine', {
      [MINE]: pageOf(buildImage()),
      [PUBLISH]: ({ body }) =>
        Object(body).acceptedPaths
          ? success(buildImage({ publishedAt: '2026-11-02T00:00:00.000Z' }))
          : refusal(40106, 'Secrets.', { data: { paths: ['.ssh/id_rsa'], isComplete: true } }),
    });
    await user.click(await screen.findByRole('button', { name: 'Publish' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Publish Course:v1?' }));
    await user.click(dialog.getByRole('button', { name: 'Publish' }));

    expect(await dialog.findByText('.ssh/id_rsa')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Publish' })).toBeDisabled();
    await user.click(dialog.getByRole('checkbox', { name: /^I have looked/ }));
    await user.click(dialog.getByRole('button', { name: 'Publish' }));
    await waitFor(() => expect(bodies(PUBLISH).at(-1)).toMatchObject({ isPublished: true, acceptedPaths: ['.ssh/id_rsa'] }));
  });

  it('are not published without a proven name, and the dialog leads to where it is proven', async () => {
    const { user } = await open('?tab=mine', {
      [MINE]: pageOf(buildImage()),
      [PUBLISH]: refusal(25107, 'This needs a verified real name.', { data: { cause: 'PUBLISH_IMAGE' } }),
    });
    await user.click(await screen.findByRole('button', { name: 'Publish' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Publish Course:v1?' }));
    await user.click(dialog.getByRole('button', { name: 'Publish' }));

    expect(await dialog.findByText('Publishing needs a verified real name.')).toBeVisible();
    expect(dialog.getByRole('link')).toHaveAttribute('href', '/main/personalCenter/accountSettings?tab=realName');
  });

  it('are deleted after a question, which says what keeps them', async () => {
    const { user } = await open('?tab=mine', {
      [MINE]: pageOf(buildImage()),
      [REMOVE]: refusal(40103, 'These workshops use the image: My lab.'),
    });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete image' }));

    expect(await screen.findByText('These workshops use the image: My lab.')).toBeVisible();
  });
});

describe('the details of an image', () => {
  it('hold size, checksum, history and where it is used, and a download', async () => {
    const detail = buildDetail({
      workshop: { workshopId: 'w1', name: 'Source', isThere: true },
      usedBy: [{ workshopId: 'w2', name: 'Uses it' }],
      history: [
        { imageId: 'p1', name: 'Parent', tag: 'v1', savedAt: null, isMine: true, isThere: true },
        { imageId: 'p2', name: '', tag: '', savedAt: null, isMine: false, isThere: false },
      ],
      secretPaths: ['.netrc'],
    });
    await open(`?tab=mine&image=${detail.imageId}`, { [DETAIL]: success(detail) });
    const drawer = within(await screen.findByRole('dialog', { name: 'Course:v1' }));

    expect(drawer.getByText('2 MB')).toBeVisible();
    expect(drawer.getByText('ab'.repeat(32))).toBeVisible();
    expect(drawer.getByRole('link', { name: 'Uses it' })).toHaveAttribute('href', expect.stringContaining('w2'));
    expect(drawer.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Uses it',
      'Parent:v1',
      'An image that is not shown any more',
      'Shell, a basic image',
      '.netrc',
    ]);
    expect(drawer.getByRole('link', { name: 'Download Course:v1' })).toHaveAttribute(
      'href',
      `/gateway/labImage/download?imageId=${detail.imageId}`,
    );
  });

  it('that are gone say so', async () => {
    await open('?image=gone', { [DETAIL]: refusal(20004, 'It does not exist.', { status: 404 }) });

    expect(await screen.findByText('It does not exist.')).toBeVisible();
  });
});

describe('the registry', () => {
  const info = {
    isConfigured: true,
    registry: 'harbor.example',
    project: 'atelier-1a2b',
    robot: 'robot$atelier-1a2b+lab',
    secret: 'hush',
    expiresAt: '2027-11-01T00:00:00.000Z',
    loginLine: "printf %s 'hush' | docker login harbor.example",
    pushLine: 'docker push harbor.example/atelier-1a2b/IMAGE:TAG',
  };

  it('shows its lines, the password only when asked for', async () => {
    const { user } = await open('?tab=registry', { [HARBOR]: success(info) });
    expect(await screen.findByText('harbor.example')).toBeVisible();
    expect(screen.queryByText(/hush/)).not.toBeInTheDocument();

    await user.click(screen.getByRole('button', { name: 'Show the password' }));

    expect(screen.getByText('hush')).toBeVisible();
    expect(screen.getByText(info.loginLine)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Copy: Sign in' })).toBeVisible();
  });

  it('is explained where there is none, and where it fails in the gateway’s words', async () => {
    await open('?tab=registry', { [HARBOR]: success({ ...info, isConfigured: false }) });
    expect(await screen.findByText(/^This site has no registry/)).toBeVisible();
  });

  it('that fails says why', async () => {
    await open('?tab=registry', { [HARBOR]: refusal(40107, 'It does not answer.', { status: 503 }) });
    expect(await screen.findByText('It does not answer.')).toBeVisible();
  });
});
