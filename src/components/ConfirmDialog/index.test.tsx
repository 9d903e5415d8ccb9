import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ConfirmDialog } from './index';

const onConfirm = jest.fn<Promise<unknown>, []>();
const onCancel = jest.fn();

async function ask() {
  render(
    <ConfirmDialog
      isOpen
      title="Delete faces?"
      confirmWord="Delete dataset"
      keepWord="Keep it"
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      Every file in it is lost.
    </ConfirmDialog>,
  );
  const dialog = await screen.findByRole('dialog', { name: 'Delete faces?' });
  return { dialog, user: userEvent.setup(), keep: screen.getByRole('button', { name: 'Keep it' }) };
}

beforeEach(() => {
  onConfirm.mockReset();
  onCancel.mockReset();
});

describe('a question before something is lost', () => {
  it('says what is lost and has the focus on the button that loses nothing', async () => {
    const { dialog, keep, user } = await ask();

    expect(dialog).toHaveTextContent('Every file in it is lost.');
    await waitFor(() => expect(keep).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(onCancel).toHaveBeenCalledTimes(1);
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it('takes Escape for a no', async () => {
    const { keep } = await ask();

    // The dialog reads the number of the key, which `user.keyboard` does not send.
    fireEvent.keyDown(keep, { key: 'Escape', keyCode: 27 });

    expect(onCancel).toHaveBeenCalledTimes(1);
  });

  it('does it once, however often it is pressed, and is busy until the answer', async () => {
    let answer: () => void = () => undefined;
    onConfirm.mockImplementation(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    );
    const { user, keep } = await ask();
    const confirm = screen.getByRole('button', { name: 'Delete dataset' });

    await user.click(confirm);
    await user.click(confirm);

    expect(onConfirm).toHaveBeenCalledTimes(1);
    expect(keep).toBeDisabled();
    fireEvent.keyDown(confirm, { key: 'Escape', keyCode: 27 });
    expect(onCancel).not.toHaveBeenCalled();
    await act(async () => answer());
    expect(keep).toBeEnabled();
  });

  it('says inside why it did not work, and can be asked again', async () => {
    onConfirm.mockRejectedValueOnce(new Error('Stop it first.')).mockResolvedValue(undefined);
    const { user } = await ask();

    await user.click(screen.getByRole('button', { name: 'Delete dataset' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Stop it first.');

    await user.click(screen.getByRole('button', { name: /Delete dataset/ }));
    expect(onConfirm).toHaveBeenCalledTimes(2);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});
