import { screen } from '@testing-library/react';
import { renderFrame } from '@/testing/renderFrame';
import PhoneBar from './PhoneBar';

describe('the bar at the bottom of a phone', () => {
  it('names its places by their words alone: what their icons are called is not read out', () => {
    renderFrame(<PhoneBar />, '/main/myLab/workshop');

    expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['Workshop', 'Account', 'Docs']);
    for (const name of ['Workshop', 'Account', 'Docs']) expect(screen.getByRole('link', { name })).toBeVisible();
    expect(screen.getByRole('button', { name: 'More' })).toBeVisible();
    expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Workshop');
  });
});
