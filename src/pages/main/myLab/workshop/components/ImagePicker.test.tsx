import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answer, answerCalls, refusal, success } from '@/testing/gateway';
import { renderPage } from '@/testing/renderPage';
import ImagePicker from './ImagePicker';

const OWN = 'GET /gateway/labImage/list';
const COMMUNITY = 'GET /gateway/image/communityList';
const DETAIL = 'GET /gateway/labImage/detail';
const handleChange = jest.fn();

const made = (imageId: string, name: string, change: object = {}) => ({
  imageId,
  name,
  tag: 'v1',
  description: '',
  base: { imageId: 'shell', name: 'Shell', framework: 'shell' },
  isMine: false,
  isAvailable: true,
  reason: '',
  ...change,
});
const variant = { imageId: 'shell', name: 'Shell', description: 'A command line', isAvailable: true, reason: '' };
const tree = [{ framework: 'shell', name: 'Shell', versions: [{ version: 'Linux', variants: [variant] }] }];

async function open(value: string, answers: Record<string, Answer>) {
  const calls = answerCalls({ [OWN]: success({ list: [], saves: 'home', kept: 0, limit: 2 }), ...answers });
  renderPage(<ImagePicker tree={tree} value={value} onChange={handleChange} />);
  await screen.findByRole('radiogroup', { name: 'Kind of image' });
  const asked = () => calls.filter(({ key }) => !key.includes('/user/'));
  return { asked, user: userEvent.setup() };
}

describe('the choice of an image', () => {
  it('begins with the basic ones and asks nothing more', async () => {
    const { asked } = await open('shell', {});

    expect(screen.getByRole('radio', { name: 'Shell' })).toBeChecked();
    expect(asked()).toEqual([]);
  });

  it('has one’s own beside them, with what they stand on and why one cannot be used', async () => {
    const list = [made('m1', 'Mine'), made('m2', 'Other', { isAvailable: false, reason: 'this machine lacks R.' })];
    const { user } = await open('shell', { [OWN]: success({ list, saves: 'home', kept: 2, limit: 2 }) });
    await user.click(screen.getByRole('radio', { name: 'Mine' }));

    expect(await screen.findByRole('radio', { name: 'Other:v1' })).toBeDisabled();
    await user.click(screen.getByRole('radio', { name: 'Mine:v1' }));
    expect(handleChange).toHaveBeenLastCalledWith('m1');
  });

  it('shows the published one that a link has chosen, though no search finds it', async () => {
    const { user, asked } = await open('c9', {
      [COMMUNITY]: success({ list: [made('c1', 'Popular')], total: 1 }),
      [DETAIL]: success(made('c9', 'Linked')),
    });

    expect(await screen.findByRole('radio', { name: 'Linked:v1' })).toBeChecked();
    await user.type(screen.getByRole('searchbox', { name: 'Search published images' }), 'maths{Enter}');
    await waitFor(() => expect(asked().some(({ url }) => url.searchParams.get('keyword') === 'maths')).toBe(true));
  });

  it('shows one’s own that a link has chosen among one’s own', async () => {
    const mine = made('m1', 'Mine', { isMine: true, publishedAt: null });
    await open('m1', {
      [COMMUNITY]: success({ list: [], total: 0 }),
      [DETAIL]: success(mine),
      [OWN]: success({ list: [mine], saves: 'home', kept: 1, limit: 2 }),
    });

    expect(await screen.findByRole('radio', { name: 'Mine', checked: true })).toBeVisible();
    expect(await screen.findByRole('radio', { name: 'Mine:v1' })).toBeChecked();
  });

  it('says that there are none, and what could not be loaded', async () => {
    const { user } = await open('shell', { [COMMUNITY]: refusal(50003, 'Try again later.', { status: 503 }) });
    await user.click(screen.getByRole('radio', { name: 'Mine' }));
    expect(await screen.findByText('You have no image of your own yet.')).toBeVisible();

    await user.click(screen.getByRole('radio', { name: 'Community' }));
    expect(await screen.findByText('Try again later.')).toBeVisible();
  });
});
