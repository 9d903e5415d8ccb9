import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CurrentMembership, PackageOffers, PurchasedItem } from '@/services/membership';
import { type Answer, answerCalls, type MadeCall, refusal, success } from '@/testing/gateway';
import { renderPage } from '@/testing/renderPage';
import MembershipPage from './index';

const LIST = 'GET /gateway/packageMembership/list';
const CUSTOM = 'GET /gateway/packageMembership/custom';
const ITEMS = 'POST /gateway/purchasedPackageItem/find';
const GIB = 1024 ** 3;
const free = { cpuCores: 2, dcuPerHour: 2, storageGb: 5, runningLabs: 1, privateImages: 2, maxHours: 4 };
const standard = { cpuCores: 8, dcuPerHour: 10, storageGb: 50, runningLabs: 3, privateImages: 10, maxHours: 24 };
const pro = { cpuCores: 32, dcuPerHour: 40, storageGb: 200, runningLabs: 8, privateImages: 50, maxHours: 72 };
const max = { cpuCores: 64, dcuPerHour: 100, storageGb: 1000, runningLabs: 20, privateImages: 200, maxHours: 168 };
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

function buildCurrent(change: Partial<CurrentMembership> = {}): CurrentMembership {
  return {
    levelFlag: 0,
    packageName: '',
    memberExpirationDate: '',
    ceilings: free,
    usage: { cpuCores: 0.5, dcuPerHour: 0.5, storageBytes: 1.5 * GIB, runningLabs: 1 },
    ...change,
  };
}

function buildOffers(change: Partial<PackageOffers> = {}): PackageOffers {
  const studentless = { studentMonthFen: null, studentYearFen: null };
  const offer = (packageId: string, name: string, levelFlag: number, monthFen: number, ceilings: typeof free) => ({
    ...{ packageId, name, levelFlag, monthFen, yearFen: 10 * monthFen, ...studentless },
    ...{ ownMonthFen: monthFen, ownYearFen: 10 * monthFen, monthlyDcu: 30 * levelFlag, ceilings, description: `About ${name}.` },
  });
  return {
    priceVersion: 1,
    isStudentPrice: false,
    freeCeilings: free,
    packages: [
      offer('standard', 'Standard', 1, 2_900, standard),
      offer('pro', 'Pro', 2, 9_900, pro),
      offer('max', 'Max', 3, 29_900, max),
    ],
    custom: {
      cpuCores: { min: 64, max: 512, step: 16 },
      monthlyDcu: { min: 0, max: 10_000, step: 100 },
      months: { min: 1, max: 12 },
      needsRealName: false,
    },
    current: buildCurrent(),
    ...change,
  };
}

const item: PurchasedItem = {
  itemId: 'i1',
  name: 'Pro',
  levelFlag: 2,
  source: 'ORDER',
  orderId: 'o1',
  state: 'ACTIVE',
  startsAt: '2026-11-01T04:00:00Z',
  endsAt: '2026-12-01T04:00:00Z',
  promisedDcu: 360,
  grantedDcu: 120,
  usedDcu: 30.5,
  nextGrantAt: null,
  ceilings: pro,
};

function priceOf({ url }: MadeCall): Answer {
  const ask = Object.fromEntries([...url.searchParams].map(([key, value]) => [key, Number(value)]));
  const { cpuCores = 0, monthlyDcu = 0, months = 0 } = ask;
  const monthFen = cpuCores * 400 + monthlyDcu * 70;
  const whole = monthFen * months;
  return success({ priceVersion: 1, listFen: whole, priceFen: whole, monthFen, monthlyDcu, ceilings: { ...max, cpuCores } });
}

async function open(
  offers: PackageOffers | Answer = buildOffers(),
  search = '',
  items: Answer = success({ list: [item], total: 1 }),
) {
  const list = 'body' in offers ? offers : success(offers);
  const made = answerCalls({ [LIST]: list, [CUSTOM]: priceOf, [ITEMS]: items });
  renderPage(<MembershipPage />, { at: `/membership${search}`, route: '/membership' });
  await screen.findByRole('heading', { name: 'My Membership' });
  return { made, user: userEvent.setup(), place: () => screen.getByTestId('place').textContent };
}
const card = async (name: string) => within(await screen.findByRole('article', { name: new RegExp(`^${name}`) }));

describe('the level now', () => {
  it('stands with what it allows against what is used, in figures', async () => {
    await open();

    const now = within(await screen.findByRole('region', { name: 'Your level now' }));
    expect(now.getByText('Free')).toBeVisible();
    expect(now.getByText('Without an end')).toBeVisible();
    expect(now.getByText('0.5 of 2 cores')).toBeVisible();
    expect(now.getByText('0.5 of 2 DCU/h')).toBeVisible();
    expect(now.getByText('1 of 1')).toBeVisible();
    expect(now.getByText('1.5 GB of 5 GB')).toBeVisible();
    expect(now.queryByText('More than your level allows')).not.toBeInTheDocument();
  });

  it('says that it ends soon, and where more is kept than it allows', async () => {
    const usage = { cpuCores: 0, dcuPerHour: 0, storageBytes: 60 * GIB, runningLabs: 0 };
    const current = buildCurrent({
      levelFlag: 1,
      packageName: 'Standard',
      memberExpirationDate: inDays(3.1),
      ceilings: standard,
      usage,
    });
    await open(buildOffers({ current }));

    const now = within(await screen.findByRole('region', { name: 'Your level now' }));
    expect(now.getByText('Standard')).toBeVisible();
    expect(now.getByText(/^Ends in 3 days/)).toBeVisible();
    expect(now.getByRole('link', { name: 'See packages to renew' })).toHaveAttribute('href', '#packages');
    expect(now.getAllByText('More than your level allows')).toHaveLength(1);
  });
});

describe('the packages', () => {
  it('say on their button what buying them does, and mark the present one', async () => {
    const current = buildCurrent({ levelFlag: 2, packageName: 'Pro', memberExpirationDate: inDays(40), ceilings: pro });
    const { user, place } = await open(buildOffers({ current }));

    expect((await card('Standard')).getByRole('button', { name: 'Standard: start after Pro' })).toHaveTextContent(
      'Start after Pro',
    );
    const renew = (await card('Pro')).getByRole('button', { name: 'Renew Pro' });
    expect(renew).toHaveAccessibleDescription('Begins when the present one ends.');
    expect(screen.getByRole('article', { name: 'Pro Your level' })).toBeVisible();
    const upgrade = (await card('Max')).getByRole('button', { name: 'Upgrade to Max' });
    expect(upgrade).toHaveAccessibleDescription('Begins at once, in place of Pro.');
    await user.click(upgrade);
    expect(place()).toBe('/main/personalCenter/costCenter/checkout?package=max&months=1');
  });

  it('are bought, not renewed, at the free level', async () => {
    await open();

    expect((await card('Standard')).getByRole('button', { name: 'Buy Standard' })).toBeVisible();
    expect(screen.getByRole('article', { name: 'Free Your level' })).toBeVisible();
  });

  it('mark in words what is more or less than now', async () => {
    const current = buildCurrent({ levelFlag: 2, packageName: 'Pro', memberExpirationDate: inDays(40), ceilings: pro });
    await open(buildOffers({ current }));

    const cpuOf = async (name: string) => (await card(name)).getByText('CPU').nextElementSibling;
    expect(await cpuOf('Max')).toHaveTextContent('64 cores ▲more than now');
    expect(await cpuOf('Standard')).toHaveTextContent('8 cores ▽less than now');
    expect(await cpuOf('Pro')).toHaveTextContent(/^32 cores$/);
  });

  it('switch to a year, in the URL too, and say what that saves', async () => {
    const { user, place } = await open();
    await user.click(await screen.findByRole('radio', { name: 'Year' }));

    expect(place()).toBe('/membership?term=year');
    const shown = await card('Pro');
    expect(shown.getByText('¥990')).toBeVisible();
    expect(shown.getByText('¥82.50 a month; ¥198 less than twelve single months')).toBeVisible();
    await user.click(shown.getByRole('button', { name: 'Buy Pro' }));
    expect(place()).toBe('/main/personalCenter/costCenter/checkout?package=pro&months=12');
  });

  it('show students both prices, and say which is which', async () => {
    const offers = buildOffers({ isStudentPrice: true });
    const [first, ...rest] = offers.packages;
    if (!first) throw new Error('no package');
    await open({ ...offers, packages: [{ ...first, studentMonthFen: 1_900, ownMonthFen: 1_900 }, ...rest] });

    const shown = await card('Standard');
    expect(shown.getByText('¥29').tagName).toBe('S');
    expect(shown.getByText('¥29').closest('p')).toHaveTextContent('List price ¥29 Student price');
    expect(shown.getByText('¥19')).toBeVisible();
    expect((await card('Max')).queryByText('List price')).not.toBeInTheDocument();
  });

  it('offer to try again where they could not be loaded, beside what was bought', async () => {
    const { user } = await open(refusal(50003, 'The service rests.', { status: 503 }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The service rests.');
    expect(await screen.findByRole('row', { name: /^Pro Active/ })).toBeVisible();

    answerCalls({ [LIST]: success(buildOffers()), [CUSTOM]: priceOf });
    await user.click(screen.getByRole('button', { name: 'Try again' }));

    expect(await screen.findByRole('article', { name: 'Standard' })).toBeVisible();
  });
});

describe('a package of one’s own', () => {
  const builder = async () => within(await screen.findByRole('region', { name: 'A package of your own' }));

  it('shows its price as it is built, and leads to the checkout with it', async () => {
    const { made, user, place } = await open();
    const custom = await builder();
    expect(await custom.findByText('¥256')).toBeVisible();

    fireEvent.change(custom.getByRole('slider', { name: 'CPU cores, by sliding' }), { target: { value: '96' } });
    fireEvent.change(custom.getByRole('slider', { name: 'Months, by sliding' }), { target: { value: '3' } });

    expect(await custom.findByText('¥1,152')).toBeVisible();
    expect(custom.getByText('¥384 a month')).toBeVisible();
    expect(custom.getByText('96 cores')).toBeVisible();
    await user.click(custom.getByRole('button', { name: 'Buy Custom package' }));
    expect(place()).toBe('/main/personalCenter/costCenter/checkout?package=custom&cores=96&dcu=0&months=3');
    // The first price and one for where the sliders came to rest, not one for every step.
    expect(made.filter(({ key }) => key === CUSTOM)).toHaveLength(2);
  });

  it('takes what is typed for the nearest amount there is', async () => {
    const { user } = await open();
    const custom = await builder();
    const cores = custom.getByRole('spinbutton', { name: 'CPU cores' });

    await user.clear(cores);
    await user.type(cores, '100');
    await user.tab();

    expect(cores).toHaveValue(96);
    expect(cores).toHaveAccessibleDescription('64 to 512 in steps of 16');
    expect(await custom.findByText('¥384')).toBeVisible();
  });

  it('asks for a real name before it can be bought', async () => {
    const offers = buildOffers();
    await open({ ...offers, custom: { ...offers.custom, needsRealName: true } });

    const custom = await builder();
    expect(await custom.findByRole('link', { name: 'Verify my real name' })).toHaveAttribute(
      'href',
      '/main/personalCenter/accountSettings?tab=realName',
    );
    expect(custom.queryByRole('button', { name: /Buy/ })).not.toBeInTheDocument();
  });
});

describe('the Subscription Center', () => {
  it('lists what was bought with its state, time, DCU and order', async () => {
    await open();

    const row = within(await screen.findByRole('row', { name: /^Pro Active/ }));
    expect(row.getByText('Nov 1, 2026')).toBeVisible();
    expect(row.getByText('120 of 360 granted')).toBeVisible();
    expect(row.getByText('30.5 used')).toBeVisible();
    expect(row.getByText('None to come')).toBeVisible();
    expect(row.getByRole('link', { name: 'See the order of Pro, Nov 1, 2026' })).toHaveAttribute(
      'href',
      '/main/personalCenter/costCenter/order?order=o1',
    );
  });

  it('reads its filter from the URL', async () => {
    const { made } = await open(buildOffers(), '?items.state=PAUSED', success({ list: [], total: 0 }));

    expect(await screen.findByText('Nothing matches')).toBeVisible();
    expect(made.find(({ key }) => key === ITEMS)?.body).toEqual({ current: 1, pageSize: 10, state: 'PAUSED' });
  });

  it('is asked anew, with the level, once a code gave something', async () => {
    const { made, user } = await open(buildOffers(), '?redeem=1', success({ list: [], total: 0 }));
    expect(await screen.findByText(/^Nothing bought or given yet/)).toBeInTheDocument();
    answerCalls((call) => {
      made.push(call);
      if (call.key === LIST) return success(buildOffers());
      if (call.key === ITEMS) return success({ list: [{ ...item, source: 'GIFT', orderId: null }], total: 1 });
      return success({ gives: 'membership', title: '7 days of Pro', couponId: null, dcu: null, days: 7 });
    });

    await user.type(await screen.findByLabelText('Code'), 'GIFT7');
    await user.click(screen.getByRole('button', { name: 'Redeem code' }));

    expect(await screen.findByText('7 days of membership were added to what you own.')).toBeVisible();
    await waitFor(() => expect(screen.getByText('Gift')).toBeInTheDocument());
    expect(made.filter(({ key }) => key === LIST)).toHaveLength(2);
    expect(made.some(({ key }) => key === 'GET /gateway/user/getUserBySession')).toBe(true);
  });

  it('speaks Chinese to who chose it', async () => {
    window.localStorage.setItem('umi_locale', 'zh-CN');
    answerCalls({ [LIST]: success(buildOffers()), [CUSTOM]: priceOf, [ITEMS]: success({ list: [item], total: 1 }) });
    renderPage(<MembershipPage />, { at: '/membership', route: '/membership' });

    expect(await screen.findByRole('region', { name: '订阅中心' })).toBeVisible();
    expect(await screen.findByRole('button', { name: '购买Standard' })).toBeVisible();
  });
});
