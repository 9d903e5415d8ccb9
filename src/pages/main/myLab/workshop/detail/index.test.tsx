import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Lab } from '@/components/LabCard/labFacts';
import { answerCalls, refusal, success } from '@/testing/gateway';
import { buildLab, buildRunningLab, buildSession, labAnswers } from '@/testing/labs';
import { renderPage } from '@/testing/renderPage';
import WorkshopDetailPage from './index';

const route = '/main/myLab/workshop/detail/:workshopId';
const { workshopId } = buildLab();
const at = `/main/myLab/workshop/detail/${workshopId}`;
const show = (query = '') => renderPage(<WorkshopDetailPage />, { at: `${at}${query}`, route });
const answer = (lab: Lab, more: Parameters<typeof labAnswers>[1] = {}) =>
  answerCalls(labAnswers([], { 'GET /gateway/workshop/get': success(lab), ...more }));

const lastSession = {
  sessionId: 'last',
  startedAt: '2026-11-20T10:00:00.000Z',
  endedAt: '2026-11-20T11:00:00.000Z',
  runningMs: 3_600_000,
  costDcu: 0.5,
  stopReason: 'MAX_HOURS' as const,
  exitCode: null,
  hasOutput: false,
  advice: null,
};

describe('the workshop page', () => {
  it('says why there is no terminal, how the last run ended, and starts the lab', async () => {
    const calls = answer(buildLab({ lastSession, totalCostDcu: 0.5 }), {
      'POST /gateway/workshop/start': success(buildLab({ state: 'QUEUED', session: buildSession() })),
    });
    show();

    expect(await screen.findByRole('heading', { level: 1, name: 'Transformer notes' })).toBeInTheDocument();
    expect(screen.getByText('Last run: 1 hr, 0.5 DCU. Stopped after your maximum hours')).toBeInTheDocument();
    const panel = screen.getByRole('tabpanel', { name: 'Terminal' });
    await userEvent.setup().click(within(panel).getByRole('button', { name: 'Start lab' }));

    await waitFor(() => expect(calls.some(({ key }) => key === 'POST /gateway/workshop/start')).toBe(true));
  });

  it.each([
    ['QUEUED', 'Getting your lab ready'],
    ['STOPPING', 'The lab is stopping'],
    ['LOST', 'The lab is out of reach'],
    ['DELETING', 'This workshop is being deleted'],
  ] as const)('explains %s in the place of the terminal', async (state, words) => {
    answer(buildLab({ state }));
    show();

    expect(await screen.findByRole('heading', { name: words })).toBeInTheDocument();
  });

  it('shows what the gateway says about a failure', async () => {
    answer(buildLab({ state: 'FAILED', failure: { code: 'OUT_OF_MEMORY', hint: 'It needed more memory.', isRetryable: true } }));
    show();

    expect(await screen.findByText('It needed more memory.')).toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: 'Start again' }).length).toBeGreaterThan(0);
  });

  it('keeps its tab in the URL', async () => {
    answer(buildLab(), { 'GET /gateway/workshop/events': success({ list: [], total: 0 }) });
    show();

    await userEvent.setup().click(await screen.findByRole('tab', { name: 'Events' }));

    expect(await screen.findByText('Nothing has happened yet.')).toBeInTheDocument();
    expect(screen.getByTestId('place')).toHaveTextContent(`${at}?tab=events`);
  });

  it('tells its history in words with their evidence', async () => {
    const events = [
      {
        eventId: '2',
        at: '2026-11-20T11:00:00.000Z',
        from: 'RUNNING',
        to: 'STOPPED',
        reason: 'BALANCE_EXHAUSTED',
        actor: 'system',
        evidence: { runningMs: 3_600_000, costDcu: 0.5 },
        sessionId: null,
      },
    ];
    answer(buildLab(), { 'GET /gateway/workshop/events': success({ list: events, total: 1 }) });
    show('?tab=events');

    const event = await screen.findByRole('listitem');
    expect(event).toHaveTextContent('Stopped because the balance was used up; files are kept');
    expect(event).toHaveTextContent('by the platform');
    expect(event).toHaveTextContent('ran 1 hr');
    expect(event).toHaveTextContent('cost 0.5 DCU');
  });

  it('adds up what it cost and asks for its own charges only', async () => {
    const charge = { at: '2026-11-20T11:00:00.000Z', kind: 'usage', balanceAfterDcu: 9.5, subject: 'x', sessionId: null };
    const calls = answer(buildLab({ lastSession, totalCostDcu: 1.25 }), {
      'POST /gateway/dcuChange/pageFind': success({
        list: [{ ...charge, changeId: 'mine', amountDcu: -0.5, workshopId, observedMs: 3_600_000, dcuPerHour: 0.5 }],
        total: 1,
      }),
    });
    show('?tab=cost');

    expect(await screen.findByText('1.25 DCU')).toBeInTheDocument();
    expect(await screen.findByText('−0.5 DCU')).toBeInTheDocument();
    expect(calls.find(({ key }) => key.endsWith('dcuChange/pageFind'))?.body).toMatchObject({ workshopId });
  });

  it('changes name and hours, and locks the size while the lab runs', async () => {
    const calls = answer(buildRunningLab(), { 'POST /gateway/workshop/update': success(buildRunningLab({ name: 'Graphs' })) });
    show('?tab=settings');
    const user = userEvent.setup();
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.type(name, 'Graphs');
    await user.click(screen.getByRole('button', { name: 'Save' }));

    await waitFor(() =>
      expect(calls.find(({ key }) => key === 'POST /gateway/workshop/update')?.body).toEqual({
        workshopId,
        name: 'Graphs',
        maxHours: null,
      }),
    );
    expect(screen.getByText(/Stop the lab to change its size/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Delete workshop' })).toBeDisabled();
  });

  it('changes idle limit, image, variables and network of a stopped workshop', async () => {
    const lab = buildLab({ env: { A: '1' } });
    const calls = answer(lab, { 'POST /gateway/workshop/update': success(lab) });
    show('?tab=settings');
    const user = userEvent.setup();
    const sent = () => calls.filter(({ key }) => key === 'POST /gateway/workshop/update').map(({ body }) => body);
    await user.type(await screen.findByRole('spinbutton', { name: 'Stop when not in use for' }), '30');
    const save = screen.getAllByRole('button', { name: 'Save' });
    await user.click(save[0] as HTMLElement);
    await waitFor(() => expect(sent()[0]).toMatchObject({ idleMinutes: 30 }));

    await user.click(screen.getByRole('button', { name: 'Paste lines' }));
    await user.type(screen.getByRole('textbox', { name: 'Lines of the form NAME=value' }), 'export B="two words"');
    await user.click(screen.getByRole('button', { name: 'Add these' }));
    expect(screen.getByRole('textbox', { name: 'Value of variable 2' })).toHaveValue('two words');
    expect(screen.getByRole('switch', { name: 'Internet access' })).toBeDisabled();
    expect(screen.getByRole('link', { name: 'Verify your name' })).toBeInTheDocument();
    await user.click(save[1] as HTMLElement);
    await waitFor(() => expect(sent()[1]).toEqual({ workshopId, env: { A: '1', B: 'two words' }, network: 'none' }));
    expect(screen.getByRole('button', { name: 'Change image' })).toBeDisabled();
  });

  it('names beside the variables the one the lab keeps for itself', async () => {
    const fields = [{ field: 'body.env.PATH', message: 'is set by the lab itself' }];
    answer(buildLab({ env: { PATH: 'x' } }), {
      'POST /gateway/workshop/update': refusal(20001, 'no', { status: 400, data: { fields } }),
    });
    show('?tab=settings');
    await screen.findByRole('textbox', { name: 'Name of variable 1' });
    await userEvent.setup().click(screen.getAllByRole('button', { name: 'Save' })[1] as HTMLElement);

    expect(await screen.findByText('PATH: is set by the lab itself')).toBeInTheDocument();
  });

  it('says in the place of charts that nothing was sampled', async () => {
    const series = {
      at: ['2026-11-20T11:00:00.000Z'],
      cpuPercent: [null],
      memoryBytes: [null],
      diskBytes: [null],
      rxBytesPerSecond: [null],
      txBytesPerSecond: [null],
      costDcu: [null],
    };
    const calls = answer(buildLab(), {
      'GET /gateway/workshop/metricsStatistics': success({
        series,
        memoryLimitBytes: null,
        cpuCores: null,
        summary: { running: 0, stopped: 1, hoursThisMonth: 0, dcuThisMonth: 0 },
      }),
    });
    show('?tab=metrics&range=6h');

    expect(await screen.findByText('No figures in this range')).toBeInTheDocument();
    expect(calls.find(({ key }) => key.endsWith('metricsStatistics'))?.url.searchParams.get('range')).toBe('6h');
  });

  it('says that a workshop is not there', async () => {
    answerCalls(labAnswers([], { 'GET /gateway/workshop/get': refusal(20004, 'no', { status: 404 }) }));
    show();

    expect(await screen.findByText('This workshop is not there')).toBeInTheDocument();
  });

  it('says that the gateway cannot be reached and loads again on request', async () => {
    answerCalls(labAnswers([], { 'GET /gateway/workshop/get': refusal(50003, 'Try again later.', { status: 503 }) }));
    show();
    await screen.findByText('Try again later.');

    answer(buildLab());
    await userEvent.setup().click(screen.getByRole('button', { name: /try again/i }));

    expect(await screen.findByRole('heading', { level: 1, name: 'Transformer notes' })).toBeInTheDocument();
  });

  it.each([
    ['accepted', success(buildLab({ state: 'DELETING' }))],
    ['answered with what is gone already', refusal(20004, 'no', { status: 404 })],
  ])('leads back to the list once its deletion is %s', async (_how, deleted) => {
    answer(buildLab(), { 'POST /gateway/workshop/delete': deleted });
    show('?tab=settings');
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Delete workshop' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete workshop' }));

    await waitFor(() => expect(screen.getByTestId('place')).toHaveTextContent(/^\/main\/myLab\/workshop$/));
    expect(await screen.findByText('Transformer notes is being deleted')).toBeInTheDocument();
    expect(screen.queryByText('This workshop is not there')).not.toBeInTheDocument();
  });

  it('leads back to the list when the workshop is deleted', async () => {
    answer(buildLab({ state: 'DELETED' }));
    show();

    await waitFor(() => expect(screen.getByTestId('place')).toHaveTextContent(/^\/main\/myLab\/workshop$/));
  });
});
