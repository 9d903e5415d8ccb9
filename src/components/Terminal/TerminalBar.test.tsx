import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderPage } from '@/testing/renderPage';
import TerminalBar from './TerminalBar';
import { useTerminalTabs } from './terminalTabs';

function Bar({ running }: { running: string[] }) {
  return <TerminalBar terminals={useTerminalTabs(running, true)} limit={3} />;
}
const namesOfTabs = () => screen.getAllByRole('tab').map((tab) => tab.textContent);

describe('the bar of the terminals', () => {
  it('closes the tab whose button is pressed and stays on the one that is open', async () => {
    renderPage(<Bar running={['a', 'b', 'c']} />);
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Close tab Terminal 2' }));

    expect(namesOfTabs()).toEqual(['Terminal 1', 'Terminal 3']);
    expect(screen.getByRole('tab', { name: 'Terminal 1' })).toHaveAttribute('aria-selected', 'true');
  });

  it('opens a shell again under the number it had', async () => {
    renderPage(<Bar running={['a', 'b', 'c']} />);
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Close tab Terminal 2' }));
    await user.click(screen.getByRole('button', { name: 'Still running: 1' }));
    await user.click(await screen.findByRole('menuitem', { name: /Terminal 2/ }));

    expect(namesOfTabs()).toEqual(['Terminal 1', 'Terminal 3', 'Terminal 2']);
  });

  it('opens no more than the limit', async () => {
    renderPage(<Bar running={['a', 'b', 'c']} />);

    expect(await screen.findByRole('button', { name: 'New terminal' })).toBeDisabled();
  });
});
