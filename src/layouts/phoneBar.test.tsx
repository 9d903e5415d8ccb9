import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildOverview, buildUser } from '@/testing/builders';
import { answerCalls, success } from '@/testing/gateway';
import { renderFrame } from '@/testing/renderFrame';
import { renderPage } from '@/testing/renderPage';
import PhoneBar from './PhoneBar';

describe('the bar at the bottom of a phone', () => {
  it('names its places by their words alone: what their icons are called is not read out', () => {
    renderFrame(<PhoneBar />, '/main/myLab/workshop');

    expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['Workshop', 'Account', 'Docs']);
    for (const name of ['Workshop', 'Account', 'Docs']) expect(screen.getByRole('link', { name })).toBeVisible();
    expect(screen.getByRole('button', { name: 'More' })).toBeVisible();
    expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Workshop');
  });

  it('leads to what the sidebar has on a larger screen, and closes behind who goes', async () => {
    const user = userEvent.setup();
    answerCalls({
      'GET /gateway/user/getUserBySession': success(buildUser()),
      'GET /gateway/account/overview': success(buildOverview()),
    });
    renderPage(<PhoneBar />, { at: '/main/personalCenter/pointsCenter' });
    await user.click(await screen.findByRole('button', { name: 'More' }));

    const drawer = within(await screen.findByRole('dialog', { name: 'More' }));
    const names = drawer.getAllByRole('link').map((link) => link.textContent?.trim());
    expect(names).toEqual(['My Membership', 'My Coupons', 'Orders', 'Bills', 'Points Center', 'Editor extension']);
    expect(drawer.getByRole('link', { current: 'page' })).toHaveTextContent('Points Center');
    await user.click(drawer.getByRole('link', { name: 'My Coupons' }));

    // Its way out is an animation, which jsdom never ends.
    await waitFor(() => expect(document.querySelector('.ant-drawer-open')).toBeNull());
    expect(screen.getByTestId('place')).toHaveTextContent('/main/personalCenter/costCenter/coupon');
  });
});
