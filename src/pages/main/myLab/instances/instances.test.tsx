import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { LabRun } from '@/services/labSession';
import { answerCalls, refusal, success } from '@/testing/gateway';
import { buildLab, labAnswers } from '@/testing/labs';
import { renderPage } from '@/testing/renderPage';
import InstancesPage from './index';

const at = '/main/myLab/instances';
const show = (query = '') => renderPage(<InstancesPage />, { at: `${at}${query}`, route: at });
const { workshopId, spec, image } = buildLab();

function buildRun(changes: Partial<LabRun> = {}): LabRun {
  return {
    sessionId: '01a1fbec-0000-7000-8000-000000000001',
    workshopId,
    workshopName: 'Transformer notes',
    isWorkshopThere: true,
    spec,
    image,
    setup: { maxHours: null, idleMinutes: null, env: {}, network: 'none' },
    queuedAt: '2026-11-20T09:59:00.000Z',
    startedAt: '2026-11-20T10:00:00.000Z',
    endedAt: '2026-11-20T11:00:00.000Z',
    stopReason: 'EXITED',
    exitCode: 127,
    runningMs: 3_600_000,
    dcuPerHour: 0.5,
    costDcu: 0.5,
    hasOutput: true,
    advice: null,
    ...changes,
  };
}

function answer(runs: LabRun[], more: Parameters<typeof labAnswers>[1] = {}) {
  return answerCalls(
    labAnswers([], {
      'GET /gateway/session/page': success({ list: runs, total: runs.length }),
      'GET /gateway/session/filterList': success({
        states: [{ state: 'ENDED', count: 1 }],
        stopReasons: [{ stopReason: 'EXITED', count: 1 }],
        specs: [{ specId: 'cpu-1', name: '1 core · 2 GB', count: 1 }],
      }),
      ...more,
    }),
  );
}

async function choose(item: string) {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'More for Transformer notes' }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
  return { user, dialog: await screen.findByRole('dialog') };
}

describe('the instances page', () => {
  it('says of each run how it ended, with what the exit code means, and what it cost', async () => {
    answer([buildRun(), buildRun({ sessionId: 'open', workshopName: 'Graphs', endedAt: null, stopReason: null, exitCode: null })]);
    show();

    const row = await screen.findByRole('row', { name: /Transformer notes/ });
    expect(row).toHaveTextContent('The lab ended by itself');
    expect(row).toHaveTextContent('Exit code 127: the command was not found in this image.');
    expect(within(row).getByRole('link', { name: 'Bill of a run of Transformer notes' })).toHaveAttribute(
      'href',
      expect.stringContaining(`session=${buildRun().sessionId}`),
    );
    expect(screen.getByRole('row', { name: /Graphs/ })).toHaveTextContent('Still going on');
  });

  it('shows what its figures advise, and leads to where it is applied', async () => {
    const evidence = { cpuP95Percent: 40.4, memoryPeakBytes: 200 * 1024 ** 2, minutes: 60 };
    answer([buildRun({ advice: { kind: 'SMALLER', specId: 'cpu-half', name: 'Half a core', dcuPerHour: 0.25, evidence } })]);
    show();

    expect(await screen.findByText(/A smaller size would do: Half a core, 0.25 DCU/)).toBeInTheDocument();
    expect(screen.getByText(/up to 40 % of one core/)).toBeInTheDocument();
  });

  it('keeps its filters in the URL and asks by them', async () => {
    const calls = answer([buildRun()]);
    show('?stopReason=EXITED&from=2026-11-01&sortField=costDcu&sortOrder=descend');
    await screen.findByRole('row', { name: /Transformer notes/ });

    const query = calls.find(({ key }) => key === 'GET /gateway/session/page')?.url.searchParams;
    expect(query?.get('stopReason')).toBe('EXITED');
    expect(query?.get('sortField')).toBe('costDcu');
    expect(query?.get('from')).toMatch(/^2026-1[01]-\d\dT/);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Clear filters' }));

    await waitFor(() => expect(screen.getByTestId('place')).toHaveTextContent(`${at}?sortField=costDcu&sortOrder=descend`));
  });

  it('shows what a run printed', async () => {
    const output = { sessionId: 's', text: 'hello\nworld', isCut: true, isLive: false, endedAt: '2026-11-20T11:00:00.000Z' };
    const calls = answer([buildRun()], { 'GET /gateway/workshop/logs': success(output) });
    show();
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Output of Transformer notes' }));
    const drawer = await screen.findByRole('dialog');

    expect(await within(drawer).findByText(/hello/)).toHaveTextContent('hello world');
    expect(drawer).toHaveTextContent('Only the newest part is kept');
    expect(within(drawer).queryByRole('checkbox', { name: 'Follow' })).not.toBeInTheDocument();
    expect(within(drawer).getByRole('link', { name: 'Download' })).toHaveAttribute('href', expect.stringContaining('logsDownload'));
    expect(calls.find(({ key }) => key.endsWith('/logs'))?.url.searchParams.get('sessionId')).toBe(buildRun().sessionId);
  });

  it('makes a workshop like a run, under a name of its own', async () => {
    const calls = answer([buildRun()], { 'POST /gateway/session/copy': success(buildLab({ workshopId: 'new', name: 'Again' })) });
    show();
    const { user, dialog } = await choose('Make a copy');
    await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Again');
    await user.click(within(dialog).getByRole('switch', { name: 'Start it right away' }));
    await user.click(within(dialog).getByRole('button', { name: 'Make a copy' }));

    await waitFor(() => expect(screen.getByTestId('place')).toHaveTextContent('/main/myLab/workshop/detail/new'));
    const { body, headers } = calls.find(({ key }) => key === 'POST /gateway/session/copy') ?? {};
    expect(body).toEqual({ sessionId: buildRun().sessionId, name: 'Again', startNow: true });
    expect(headers?.['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('puts a taken name beside its field', async () => {
    answer([buildRun()], { 'POST /gateway/session/copy': refusal(40001, 'You have a workshop of this name.') });
    show();
    const { user, dialog } = await choose('Make a copy');
    await user.click(within(dialog).getByRole('button', { name: 'Make a copy' }));

    expect(await within(dialog).findByText('You have a workshop of this name.')).toBeInTheDocument();
  });

  it('asks before it takes a run out of the list, and says that the bill stays', async () => {
    const calls = answer([buildRun()], { 'POST /gateway/session/delete': success({ sessionId: 's' }) });
    show();
    const { user, dialog } = await choose('Take out of the list');
    expect(dialog).toHaveTextContent('Its bill, the balance changes and the workshop stay.');
    await user.click(within(dialog).getByRole('button', { name: 'Take out of the list' }));

    expect(await screen.findByText('The run is out of the list; its bill stays.')).toBeInTheDocument();
    expect(calls.filter(({ key }) => key === 'POST /gateway/session/delete')).toHaveLength(1);
    await waitFor(() => expect(calls.filter(({ key }) => key === 'GET /gateway/session/page').length).toBeGreaterThan(1));
  });

  it('teaches what a run is when there is none', async () => {
    answer([]);
    show();

    expect(await screen.findByText('Nothing ran yet')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to my workshops' })).toBeInTheDocument();
  });

  it('says what went wrong and loads again on request', async () => {
    answer([], { 'GET /gateway/session/page': refusal(50003, 'Try again later.', { status: 503 }) });
    show();
    expect(await screen.findByText('Try again later.')).toBeInTheDocument();
    answer([buildRun()]);
    await userEvent.setup().click(screen.getByRole('button', { name: /try again/i }));

    expect(await screen.findByRole('row', { name: /Transformer notes/ })).toBeInTheDocument();
  });
});
