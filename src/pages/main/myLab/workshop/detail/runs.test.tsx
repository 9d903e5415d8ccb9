import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Lab } from '@/components/LabCard/labFacts';
import { answerCalls, refusal, success } from '@/testing/gateway';
import { buildLab, buildRunningLab, buildSession, labAnswers } from '@/testing/labs';
import { renderPage } from '@/testing/renderPage';
import WorkshopDetailPage from './index';

const route = '/main/myLab/workshop/detail/:workshopId';
const { workshopId } = buildLab();
const show = (query = '') => renderPage(<WorkshopDetailPage />, { at: `/main/myLab/workshop/detail/${workshopId}${query}`, route });
const answer = (lab: Lab, more: Parameters<typeof labAnswers>[1] = {}) =>
  answerCalls(labAnswers([], { 'GET /gateway/workshop/get': success(lab), ...more }));

const ended: NonNullable<Lab['lastSession']> = {
  sessionId: '01a1fbec-0000-7000-8000-000000000009',
  startedAt: '2026-11-20T10:00:00.000Z',
  endedAt: '2026-11-20T11:00:00.000Z',
  runningMs: 3_600_000,
  costDcu: 0.5,
  stopReason: 'OUT_OF_MEMORY',
  exitCode: 137,
  hasOutput: true,
  advice: {
    kind: 'LARGER',
    specId: 'cpu-4',
    name: '4 cores · 8 GB',
    dcuPerHour: 2,
    evidence: { cpuP95Percent: 95, memoryPeakBytes: 2 * 1024 ** 3, minutes: 60 },
  },
};

describe('after a run', () => {
  it('says why it ended, what to do, and applies the advised size at one press', async () => {
    const calls = answer(buildLab({ lastSession: ended }), { 'POST /gateway/workshop/update': success(buildLab()) });
    show();

    expect(await screen.findByText(/it was killed, mostly for needing more memory/)).toBeInTheDocument();
    expect(screen.getByText(/Choose a size with more memory/)).toBeInTheDocument();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Change size' }));

    expect(await screen.findByText('The next run has the new size.')).toBeInTheDocument();
    expect(calls.find(({ key }) => key.endsWith('/update'))?.body).toEqual({ workshopId, specId: 'cpu-4' });
  });

  it('leads to the files where the disk was full', async () => {
    answer(buildLab({ lastSession: { ...ended, stopReason: 'DISK_FULL', exitCode: null, advice: null } }));
    show();

    expect(await screen.findByRole('link', { name: 'Open its files' })).toHaveAttribute(
      'href',
      expect.stringContaining('tab=files'),
    );
  });
});

describe('the output', () => {
  const output = { sessionId: 's', text: 'epoch 1\n', isCut: false, isLive: true, endedAt: null };

  it('of what runs is followed', async () => {
    const calls = answer(buildRunningLab(), { 'GET /gateway/workshop/logs': success(output) });
    show('?tab=output');

    expect(await screen.findByText(/epoch 1/)).toBeInTheDocument();
    expect(screen.getByRole('checkbox', { name: 'Follow' })).toBeChecked();
    expect(calls.find(({ key }) => key.endsWith('/logs'))?.url.searchParams.get('sessionId')).toBe(buildSession().sessionId);
  });

  it('says why it cannot be read, with a way to try again', async () => {
    answer(buildRunningLab(), { 'GET /gateway/workshop/logs': refusal(40005, 'The engine does not answer.', { status: 503 }) });
    show('?tab=output');

    expect(await screen.findByText('The engine does not answer.')).toBeInTheDocument();
  });

  it('of a lab that never ran is not asked for', async () => {
    const calls = answer(buildLab());
    show('?tab=output');

    expect(await screen.findByText(/There is no output yet/)).toBeInTheDocument();
    expect(calls.some(({ key }) => key.endsWith('/logs'))).toBe(false);
  });
});

describe('the figures of one run', () => {
  it('are asked for by the run', async () => {
    const calls = answer(buildLab({ lastSession: ended }), {
      'GET /gateway/workshop/metricsStatistics': refusal(50003, 'Try again later.', { status: 503 }),
    });
    show('?tab=metrics&range=run');

    expect(await screen.findByText('Try again later.')).toBeInTheDocument();
    const query = calls.find(({ key }) => key.endsWith('metricsStatistics'))?.url.searchParams;
    await waitFor(() => expect(query?.get('sessionId')).toBe(ended.sessionId));
    expect(query?.has('range')).toBe(false);
  });
});
