import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answer, answerCalls, refusal, success } from '@/testing/gateway';
import { renderPage } from '@/testing/renderPage';
import { keepDraft } from './drafts';
import FilesPane from './index';
import { uploadsOf } from './uploads';

const workshopId = '0190163d-8c5e-7b1a-9f00-5f1d2c3b4a59';
const room = { usedBytes: 1024, limitBytes: 10_240, memberUsedBytes: 2048, memberLimitBytes: 20_480 };
const modifiedAt = '2026-11-20T10:00:00.000Z';
const entry = (name: string, more: object = {}) => ({
  ...{ name, kind: 'file', sizeBytes: 15, modifiedAt, isWritable: true, linksTo: null },
  ...more,
});
const listing = (entries: object[], more: object = {}) =>
  success({ path: '', entries, isCut: false, isHomeThere: true, ...room, ...more });
const LIST = 'GET /gateway/workshop/files';
const show = (at = '/?tab=files') => renderPage(<FilesPane workshopId={workshopId} />, { at });
const mixed = [
  entry('course', { kind: 'folder', sizeBytes: 0 }),
  entry('hello.py'),
  entry('out', { kind: 'link', linksTo: '/etc/passwd' }),
  entry('turned\u202etxt.exe', { kind: 'other' }),
];

/** A server of the browser's other way to ask, which alone tells how far an upload is. */
class FakeXhr extends EventTarget {
  static sent: FakeXhr[] = [];
  upload = new EventTarget();
  status = 200;
  responseText = '';
  url = '';
  open(_method: string, url: string) {
    this.url = url;
  }
  setRequestHeader() {}
  send() {
    FakeXhr.sent.push(this);
  }
  abort() {
    this.dispatchEvent(new Event('abort'));
  }
  progress(loaded: number) {
    act(() => void this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded })));
  }
  answer({ body }: Answer) {
    this.responseText = JSON.stringify(body);
    act(() => void this.dispatchEvent(new Event('load')));
  }
}

beforeEach(() => {
  FakeXhr.sent = [];
  Object.assign(window, { XMLHttpRequest: FakeXhr });
});
afterEach(() => {
  act(() => {
    uploadsOf(workshopId).cancelAll();
    uploadsOf(workshopId).settleConflicts('skip');
    uploadsOf(workshopId).clear();
    keepDraft(workshopId, undefined);
  });
});

describe('the files of a workshop', () => {
  it('say what each is, how full the disk is, and open a folder in the URL', async () => {
    const calls = answerCalls({
      [LIST]: ({ url }) => (url.searchParams.get('path') === 'course' ? listing([], { path: 'course' }) : listing(mixed)),
    });
    show();

    expect(await screen.findByRole('button', { name: 'hello.py' })).toBeInTheDocument();
    expect(screen.getByText('link to /etc/passwd')).toBeInTheDocument();
    expect(screen.getByText('turned\\u202etxt.exe')).toBeInTheDocument();
    expect(screen.getByText(/Lab disk: 1 kB of 10 kB/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Download hello.py' })).toHaveAttribute(
      'href',
      `/gateway/workshop/download?workshopId=${workshopId}&path=hello.py`,
    );
    await userEvent.click(screen.getByRole('button', { name: 'course' }));
    expect(await screen.findByText('This folder is empty. Upload files, or drop them here.')).toBeInTheDocument();
    expect(screen.getByTestId('place')).toHaveTextContent('folder=course');
    await userEvent.click(within(screen.getByRole('navigation')).getByRole('button', { name: 'Home' }));
    expect(await screen.findByRole('button', { name: 'hello.py' })).toBeInTheDocument();
    expect(calls.filter(({ key }) => key === LIST).length).toBeGreaterThan(2);
  });

  it.each([
    ['before the first start', listing([], { isHomeThere: false }), /has not run yet/],
    ['cut', listing(mixed, { isCut: true }), 'Only the first 4 entries are shown. Use the terminal for the rest.'],
    ['out of reach', refusal(41008, 'The files cannot be reached.', { status: 503 }), 'The files cannot be reached.'],
  ])('are explained %s', async (_state, answer, words) => {
    answerCalls({ [LIST]: answer });
    show();

    expect(await screen.findByText(words)).toBeInTheDocument();
  });

  it('lead home from a folder that is gone', async () => {
    answerCalls({ [LIST]: ({ url }) => (url.searchParams.get('path') === '' ? listing(mixed) : refusal(41001, 'gone')) });
    show('/?tab=files&folder=none');

    await userEvent.click(await screen.findByRole('button', { name: 'Open home' }));

    expect(await screen.findByRole('button', { name: 'hello.py' })).toBeInTheDocument();
  });

  it('are deleted after one question that says what is lost', async () => {
    const calls = answerCalls({ [LIST]: listing(mixed), 'POST /gateway/workshop/deleteFiles': success({ deleted: 2 }) });
    show();
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select course' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select hello.py' }));
    await userEvent.click(screen.getByRole('button', { name: 'Delete (2)' }));

    const dialog = await screen.findByRole('dialog', { name: 'Delete these 2 entries?' });
    expect(dialog).toHaveTextContent('There is no bin.');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));

    await waitFor(() => expect(calls.at(-1)?.key).toBe(LIST));
    expect(calls.find(({ key }) => key.endsWith('deleteFiles'))?.body).toEqual({ workshopId, paths: ['course', 'hello.py'] });
  });

  it('get names the gateway would take, and say why one is refused', async () => {
    answerCalls({ [LIST]: listing(mixed), 'POST /gateway/workshop/makeFolder': refusal(41002, 'Something here has this name.') });
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'New folder' }));
    const dialog = await screen.findByRole('dialog', { name: 'New folder' });
    const field = within(dialog).getByLabelText('Name');

    fireEvent.change(field, { target: { value: '../up' } });
    expect(within(dialog).getByRole('button', { name: 'New folder' })).toBeDisabled();
    fireEvent.change(field, { target: { value: 'course' } });
    await userEvent.click(within(dialog).getByRole('button', { name: 'New folder' }));

    expect(await within(dialog).findByText('Something here has this name.')).toBeInTheDocument();
  });
});

describe('uploads', () => {
  const choose = async (names: string[]) => {
    answerCalls({ [LIST]: listing(mixed) });
    show();
    await screen.findByRole('button', { name: 'Upload files' });
    const files = names.map((name) => new File(['0123456789'], name));
    fireEvent.change(screen.getByLabelText('Upload files', { selector: 'input' }), { target: { files } });
  };

  it('go two at a time, say how far each is, and can be cancelled and tried again', async () => {
    await choose(['a.bin', 'b.bin', 'c.bin']);
    expect(FakeXhr.sent.map(({ url }) => new URLSearchParams(url.split('?')[1]).get('path'))).toEqual(['a.bin', 'b.bin']);

    FakeXhr.sent[0]?.progress(4);
    expect(screen.getByRole('progressbar', { name: 'a.bin' })).toHaveAttribute('aria-valuenow', '40');
    FakeXhr.sent[1]?.answer(refusal(41007, 'No room.'));
    expect(await screen.findByText(/Failed: No room\./)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel a.bin' }));
    await waitFor(() => expect(FakeXhr.sent).toHaveLength(3));
    FakeXhr.sent[2]?.answer(success({}));
    await userEvent.click(screen.getByRole('button', { name: 'Retry b.bin' }));
    await waitFor(() => expect(FakeXhr.sent).toHaveLength(4));
    FakeXhr.sent[3]?.answer(success({}));

    expect(await screen.findByText('2 of 3 done')).toBeInTheDocument();
  });

  it('ask what to do about a name that is taken', async () => {
    await choose(['hello.py']);
    FakeXhr.sent[0]?.answer(refusal(41002, 'taken'));

    await userEvent.click(await screen.findByRole('button', { name: 'Keep both hello.py' }));

    await waitFor(() => expect(FakeXhr.sent[1]?.url).toContain('onConflict=keepBoth'));
  });
});

describe('the editor', () => {
  const READ = 'GET /gateway/workshop/file';
  const SAVE = 'POST /gateway/workshop/saveFile';
  const open = async (more: Parameters<typeof answerCalls>[0]) => {
    const text = success({ text: 'print(1)\n', version: 'v1', isWritable: true, sizeBytes: 9 });
    const calls = answerCalls({ [LIST]: listing(mixed), [READ]: text, ...more });
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'hello.py' }));
    fireEvent.change(await screen.findByLabelText('Text of hello.py'), { target: { value: 'print(2)\n' } });
    return calls;
  };

  it('saves over the version it read, by key, and asks before anything unsaved is dropped', async () => {
    const calls = await open({ [SAVE]: success({ path: 'hello.py', sizeBytes: 9, version: 'v2' }) });
    fireEvent.keyDown(screen.getByLabelText('Text of hello.py'), { key: 's', ctrlKey: true });

    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(calls.find(({ key }) => key === SAVE)?.body).toEqual({
      workshopId,
      path: 'hello.py',
      text: 'print(2)\n',
      version: 'v1',
    });
    fireEvent.change(screen.getByLabelText('Text of hello.py'), { target: { value: 'lost?' } });
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    const dialog = await screen.findByRole('dialog', { name: 'Close hello.py without saving?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Go on editing' }));
    expect(screen.getByLabelText('Text of hello.py')).toHaveValue('lost?');
  });

  it('loses nothing when the file was changed meanwhile: mine goes beside it', async () => {
    const calls = await open({
      [SAVE]: ({ body }) =>
        (body as { version: string | null }).version === null
          ? success({ path: 'hello (2).py', sizeBytes: 9, version: 'v9' })
          : refusal(41004, 'changed'),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));

    const dialog = await screen.findByRole('dialog', { name: 'hello.py was changed meanwhile' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save as a copy' }));

    expect(await screen.findByLabelText('Text of hello (2).py')).toHaveValue('print(2)\n');
    expect(calls.filter(({ key }) => key === SAVE).map(({ body }) => (body as { path: string }).path)).toEqual([
      'hello.py',
      'hello (2).py',
    ]);
  });

  it('says of what is no text that it is none, and stays where it was', async () => {
    answerCalls({ [LIST]: listing(mixed), [READ]: refusal(41006, 'This file is not text.') });
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'hello.py' }));

    expect(await screen.findByText('This file is not text.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'hello.py' })).toBeInTheDocument();
  });
});
