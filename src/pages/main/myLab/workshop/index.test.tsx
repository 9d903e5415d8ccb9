import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerCalls, refusal, success } from '@/testing/gateway';
import { buildLab, buildRunningLab, labAnswers } from '@/testing/labs';
import { renderPage } from '@/testing/renderPage';
import WorkshopPage from './index';

const at = '/main/myLab/workshop';
const stopCall = 'POST /gateway/workshop/stop';
const show = (place = at) => renderPage(<WorkshopPage />, { at: place, route: at });
const placeNow = () => screen.getByTestId('place').textContent;

describe('the workshop list', () => {
  it('shows the shape of what comes while it first loads', async () => {
    answerCalls(labAnswers([], { 'GET /gateway/workshop/page': () => new Promise(() => undefined) }));
    show();

    expect(await screen.findByRole('status', { name: 'Loading' })).toBeInTheDocument();
  });

  it('shows each lab with its state in a word, its cost so far and its one next step', async () => {
    answerCalls(labAnswers([buildRunningLab(), buildLab({ workshopId: 'other', name: 'Graphs' })]));
    show();

    const running = await screen.findByRole('article', { name: 'Transformer notes' });
    expect(running).toHaveTextContent('Running');
    expect(running).toHaveTextContent(
      /0\.42 DCU so far.*0\.5 DCU\/h.*stops .*18:30 \(max hours\)|0\.42 DCU so far.*0\.5 DCU\/h.*\(max hours\)/,
    );
    expect(within(running).getByRole('img', { name: 'CPU over the last minutes, now 12 %' })).toBeInTheDocument();
    expect(within(running).getByRole('button', { name: 'Open terminal' })).toBeEnabled();
    const resting = screen.getByRole('article', { name: 'Graphs' });
    expect(within(resting).getByRole('button', { name: 'Start lab' })).toBeEnabled();
  });

  it('asks before stopping a running lab, and says what ends and what stays', async () => {
    const calls = answerCalls(labAnswers([buildRunningLab()], { [stopCall]: success(buildRunningLab({ state: 'STOPPING' })) }));
    show();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'More for Transformer notes' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Stop lab' }));

    const dialog = await screen.findByRole('dialog', { name: 'Stop Transformer notes?' });
    expect(dialog).toHaveTextContent(/home folder stays/);
    expect(dialog).toHaveTextContent(/0\.42 DCU in 50 min/);
    expect(calls.some(({ key }) => key === stopCall)).toBe(false);

    await user.click(within(dialog).getByRole('button', { name: 'Stop lab' }));
    await waitFor(() => expect(calls.find(({ key }) => key === stopCall)?.body).toEqual({ workshopId: buildLab().workshopId }));
  });

  it('stops nothing when the member thinks better of it', async () => {
    const calls = answerCalls(labAnswers([buildRunningLab()]));
    show();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'More for Transformer notes' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Stop lab' }));
    await user.click(await screen.findByRole('button', { name: 'Keep it running' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(calls.some(({ key }) => key === stopCall)).toBe(false);
  });

  it('says before deleting that the files are gone for good', async () => {
    const calls = answerCalls(labAnswers([buildLab()]));
    show();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'More for Transformer notes' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));

    expect(await screen.findByRole('dialog', { name: 'Delete Transformer notes?' })).toHaveTextContent(/deleted for good/);
    expect(calls.some(({ key }) => key.includes('delete'))).toBe(false);
  });

  it('keeps the start button busy until the answer, sends one key, then shows the answer', async () => {
    let answer: (lab: object) => void = () => undefined;
    const calls = answerCalls(
      labAnswers([buildLab()], {
        'POST /gateway/workshop/start': () =>
          new Promise((resolve) => {
            answer = (lab) => resolve(success(lab));
          }),
      }),
    );
    show();
    const user = userEvent.setup();
    const start = await screen.findByRole('button', { name: 'Start lab' });
    await user.click(start);
    await waitFor(() => expect(start).toHaveClass('ant-btn-loading'));

    answerCalls(labAnswers([buildLab({ state: 'QUEUED' })]));
    await act(async () => answer(buildLab({ state: 'QUEUED' })));

    expect(await screen.findByText('Queued')).toBeInTheDocument();
    expect(calls.filter(({ key }) => key.endsWith('/start')).map(({ headers }) => headers['Idempotency-Key'])).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
  });

  it('renames in place, with a refusal beside the field', async () => {
    answerCalls(labAnswers([buildLab()], { 'POST /gateway/workshop/update': refusal(40001, 'You have a workshop of this name.') }));
    show();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'More for Transformer notes' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
    const dialog = await screen.findByRole('dialog', { name: 'Change Transformer notes' });
    const field = within(dialog).getByRole('textbox', { name: 'Name' });
    await user.clear(field);
    await user.type(field, 'Graphs');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));

    expect(await within(dialog).findByText('You have a workshop of this name.')).toBeInTheDocument();
    expect(field).toHaveValue('Graphs');
  });

  it('teaches what a workshop is when there is none, with the way to the first', async () => {
    answerCalls(labAnswers([]));
    show();

    expect(await screen.findByText('Your bench is free')).toBeInTheDocument();
    await userEvent.setup().click(screen.getByRole('button', { name: 'New workshop' }));
    expect(placeNow()).toBe(`${at}?create=1`);
  });

  it('offers to clear the filters when they leave nothing', async () => {
    answerCalls(labAnswers([]));
    show(`${at}?state=FAILED&keyword=graph`);
    expect(await screen.findByTitle('Failed')).toBeVisible();

    await userEvent.setup().click(await screen.findByRole('button', { name: 'Clear filters' }));

    await waitFor(() => expect(placeNow()).toBe(at));
  });

  it('says what went wrong and loads again on request', async () => {
    answerCalls(labAnswers([], { 'GET /gateway/workshop/page': refusal(50003, 'Try again later.', { status: 503 }) }));
    show();
    expect(await screen.findByText('Try again later.')).toBeInTheDocument();

    answerCalls(labAnswers([buildLab()]));
    await userEvent.setup().click(screen.getByRole('button', { name: /try again/i }));

    expect(await screen.findByRole('article', { name: 'Transformer notes' })).toBeInTheDocument();
  });

  it('puts what is typed into the search into the URL and asks for it', async () => {
    const calls = answerCalls(labAnswers([buildLab()]));
    show(`${at}?view=table`);
    await userEvent.setup().type(await screen.findByRole('searchbox', { name: 'Search by name' }), 'graph');

    await waitFor(() => expect(placeNow()).toBe(`${at}?view=table&keyword=graph`));
    await waitFor(() => expect(calls.at(-1)?.url.searchParams.get('keyword') ?? '').toBe('graph'));
  });

  it('keeps the spaces that are typed between two words of a search', async () => {
    answerCalls(labAnswers([buildLab()]));
    show();
    const user = userEvent.setup();
    const field = await screen.findByRole('searchbox', { name: 'Search by name' });
    await user.type(field, 'graph ');
    await waitFor(() => expect(placeNow()).toBe(`${at}?keyword=graph`));
    expect(field).toHaveValue('graph ');
    await user.type(field, 'notes');

    await waitFor(() => expect(placeNow()).toBe(`${at}?keyword=graph+notes`));
  });

  it('shows the same labs as a table when the URL says so', async () => {
    answerCalls(labAnswers([buildRunningLab()]));
    show(`${at}?view=table`);

    const row = await screen.findByRole('row', { name: /Transformer notes/ });
    expect(row).toHaveTextContent('Running');
    expect(within(row).getByRole('button', { name: 'Open terminal' })).toBeEnabled();
  });
});
