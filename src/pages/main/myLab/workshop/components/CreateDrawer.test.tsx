import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerCalls, refusal, success } from '@/testing/gateway';
import { buildLab, buildSession, labAnswers } from '@/testing/labs';
import { renderPage } from '@/testing/renderPage';
import CreateDrawer from './CreateDrawer';

const createCall = 'POST /gateway/workshop/create';
const handleCreated = jest.fn();

async function open() {
  renderPage(<CreateDrawer nextNumber={2} takenNames={['My workshop 2']} onCreated={handleCreated} onClose={() => undefined} />, {
    at: '/list',
    route: '/list',
  });
  await screen.findByRole('radio', { name: /^1 core/ });
  return userEvent.setup();
}
const creates = (calls: ReturnType<typeof answerCalls>) => calls.filter(({ key }) => key === createCall);

describe('the create drawer', () => {
  it('says the price per hour and what the balance buys before anything is made', async () => {
    const calls = answerCalls(labAnswers([]));
    await open();

    const spec = screen.getByRole('radio', { name: /^1 core/ });
    expect(spec).toHaveAccessibleName(/0\.5 DCU per hour/);
    await waitFor(() => expect(spec).toHaveAccessibleDescription(/Your 9\.58 DCU last 19 hr 9 min, until/));
    const terms = screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(terms).toEqual([
      ['Price per hour', '0.5 DCU'],
      ['Held to start (10 min)', '0.083 DCU'],
      ['Balance after one hour', '9.08 DCU'],
    ]);
    expect(creates(calls)).toEqual([]);
  });

  it('says why a size or an environment cannot be chosen', async () => {
    answerCalls(labAnswers([]));
    await open();

    const big = screen.getByRole('radio', { name: /^8 cores/ });
    expect(big).toBeDisabled();
    expect(big).toHaveAccessibleDescription(/Needs level 1 \(Standard\)/);
    const julia = await screen.findByRole('radio', { name: 'Julia' });
    expect(julia).toBeDisabled();
    expect(julia).toHaveAccessibleDescription(/This machine has no julia\./);
  });

  it('suggests a free name, the first usable size and environment, and goes to the lab it started', async () => {
    const lab = buildLab({ state: 'QUEUED', session: buildSession() });
    const calls = answerCalls(labAnswers([], { [createCall]: success(lab) }));
    const user = await open();

    await user.click(screen.getByRole('button', { name: 'Create and start' }));

    await waitFor(() => expect(screen.getByTestId('place')).toHaveTextContent(`/main/myLab/workshop/detail/${lab.workshopId}`));
    expect(creates(calls)[0]?.body).toEqual({
      name: 'My workshop 3',
      specId: 'cpu-1',
      imageId: 'shell',
      maxHours: null,
      startNow: true,
    });
  });

  it('only makes it when it is not to start', async () => {
    answerCalls(labAnswers([], { [createCall]: success(buildLab()) }));
    const user = await open();

    await user.click(screen.getByRole('switch', { name: 'Start it right away' }));
    await user.click(screen.getByRole('button', { name: 'Create workshop' }));

    await waitFor(() => expect(handleCreated).toHaveBeenCalled());
  });

  it('shows a taken name beside the field and keeps what was typed', async () => {
    answerCalls(labAnswers([], { [createCall]: refusal(40001, 'You have a workshop of this name.') }));
    const user = await open();
    const name = screen.getByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.type(name, 'Graphs');

    await user.click(screen.getByRole('button', { name: 'Create and start' }));

    const item = name.closest('.ant-form-item') as HTMLElement;
    expect(await within(item).findByText('You have a workshop of this name.')).toBeInTheDocument();
    expect(name).toHaveValue('Graphs');
    expect(document.querySelector('.ant-message-notice')).toBeNull();
  });

  it('leaves a limit of the level to its dialog, with the form as it was', async () => {
    answerCalls(labAnswers([], { [createCall]: refusal(25105, 'Starting needs 0.083 DCU, 0.01 DCU are available.') }));
    const user = await open();

    await user.click(screen.getByRole('button', { name: 'Create and start' }));

    await waitFor(() => expect(document.body).toHaveTextContent('Starting needs 0.083 DCU'));
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('My workshop 3');
  });

  it('keeps its key over a lost answer and takes a new one after an answer', async () => {
    let answered = 0;
    const calls = answerCalls(
      labAnswers([], {
        [createCall]: () => {
          answered += 1;
          if (answered === 1) throw new TypeError('Failed to fetch');
          return answered === 2 ? refusal(40001, 'taken') : success(buildLab());
        },
      }),
    );
    const user = await open();
    for (let press = 1; press <= 3; press += 1) {
      await user.click(screen.getByRole('button', { name: 'Create and start' }));
      await waitFor(() => expect(creates(calls)).toHaveLength(press));
      await waitFor(() => expect(screen.getByRole('button', { name: /Create and start/ })).not.toHaveClass('ant-btn-loading'));
      if (press === 2) await user.type(screen.getByRole('textbox', { name: 'Name' }), ' b');
    }

    const keys = creates(calls).map(({ headers }) => headers['Idempotency-Key']);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[1]);
  });

  it('refuses an empty or overlong name and hours beyond the level without asking the gateway', async () => {
    const calls = answerCalls(labAnswers([]));
    const user = await open();
    await user.clear(screen.getByRole('textbox', { name: 'Name' }));
    await user.type(screen.getByRole('spinbutton', { name: 'Stop by itself after' }), '9');

    await user.click(screen.getByRole('button', { name: 'Create and start' }));

    expect(await screen.findByText('Give it a name')).toBeInTheDocument();
    expect(await screen.findByText('Between 1 and 4 hours')).toBeInTheDocument();
    expect(creates(calls)).toEqual([]);
  });

  it('takes the most hours from the package, which may permit others than its level', async () => {
    const current = { ceilings: { maxHours: 60 } };
    answerCalls(labAnswers([], { 'GET /gateway/packageMembership/list': success({ current }) }));
    await open();

    expect(await screen.findByText(/stops a run after 60 hours/)).toBeInTheDocument();
  });

  it('says what could not be loaded and keeps what was typed over the retry', async () => {
    answerCalls(labAnswers([], { 'GET /gateway/image/basicTree': refusal(50003, 'Try again later.', { status: 503 }) }));
    const user = await open();
    await user.type(screen.getByRole('textbox', { name: 'Name' }), ' with notes');
    answerCalls(labAnswers([]));

    await user.click(await screen.findByRole('button', { name: 'Try again' }));

    expect(await screen.findByRole('radio', { name: 'Shell' })).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('My workshop 3 with notes');
  });
});
