import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answer, answerCalls, refusal, success } from '@/testing/gateway';
import { buildLab } from '@/testing/labs';
import { renderPage } from '@/testing/renderPage';
import SaveImageDialog from './index';

const OWN = 'GET /gateway/labImage/list';
const SAVE = 'POST /gateway/workshop/saveImage';
const own = (saves: 'home' | 'rootfs' | 'none' | null, ...tags: string[]) =>
  success({ list: tags.map((tag) => ({ name: 'My lab', tag })), saves, kept: tags.length, limit: 2 });

async function open(answers: Record<string, Answer>, state: 'STOPPED' | 'RUNNING' = 'STOPPED') {
  const made = answerCalls(answers);
  const lab = buildLab({ name: 'My lab', state });
  renderPage(<SaveImageDialog lab={lab} isOpen onDone={() => undefined} onCancel={() => undefined} />, {
    at: '/labs',
    route: '/labs',
  });
  await screen.findByRole('dialog', { name: 'Save My lab as an image' });
  return { user: userEvent.setup(), lab, asked: () => made.filter(({ key }) => key === SAVE) };
}

describe('the dialog that saves an image', () => {
  it('suggests the lab’s name and the first free tag, saves once, and goes to where its progress is seen', async () => {
    const { user, lab, asked } = await open({ [OWN]: own('home', 'v1'), [SAVE]: success({ name: 'My lab', tag: 'v2' }) });
    expect(await screen.findByText(/^All files in the home folder are saved\. Programs installed elsewhere/)).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Tag' })).toHaveValue('v2');

    await user.click(screen.getByRole('button', { name: 'Save image' }));

    await waitFor(() => expect(screen.getByTestId('place')).toHaveTextContent('/main/myLab/images?tab=mine'));
    expect(asked().map(({ body }) => body)).toEqual([{ workshopId: lab.workshopId, name: 'My lab', tag: 'v2', description: '' }]);
    expect(asked()[0]?.headers['Idempotency-Key'] ?? asked()[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('says what a running lab may miss, and what an engine with layers keeps', async () => {
    await open({ [OWN]: own('rootfs') }, 'RUNNING');

    expect(await screen.findByText(/also the system with what was installed/)).toBeVisible();
    expect(screen.getByText(/what is written while it is saved may be missing/)).toBeVisible();
  });

  it.each([
    ['none', /cannot save labs as images/],
    [null, /does not answer/],
  ] as const)('offers nothing where the engine keeps %s', async (saves, words) => {
    await open({ [OWN]: own(saves) });

    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Save image' })).toBeDisabled();
  });

  it('shows a taken name beside its field and any other refusal above the buttons', async () => {
    const answers = { [OWN]: own('home'), [SAVE]: refusal(40102, 'You have an image of this name and tag.') };
    const { user } = await open(answers);
    await user.click(await screen.findByRole('button', { name: 'Save image' }));
    expect(await screen.findByText('You have an image of this name and tag.')).toBeVisible();

    Object.assign(answers, { [SAVE]: refusal(40101, 'Your level keeps 2 images.') });
    await user.type(screen.getByRole('textbox', { name: 'Name' }), ' again');
    await user.click(screen.getByRole('button', { name: 'Save image' }));
    expect(await screen.findByText('Your level keeps 2 images.')).toBeVisible();
  });

  it('refuses a tag that is none before it asks', async () => {
    const { user, asked } = await open({ [OWN]: own('home') });
    const tag = await screen.findByRole('textbox', { name: 'Tag' });
    await user.clear(tag);
    await user.type(tag, '-no tag');
    await user.click(screen.getByRole('button', { name: 'Save image' }));

    expect(await screen.findByText(/^Up to 64 letters/)).toBeVisible();
    expect(asked()).toEqual([]);
  });
});
