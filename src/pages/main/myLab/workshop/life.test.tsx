import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Lab } from '@/components/LabCard/labFacts';
import { answerCalls, refusal, success } from '@/testing/gateway';
import { buildLab, buildRunningLab, buildSession, labAnswers } from '@/testing/labs';
import { renderPage } from '@/testing/renderPage';
import WorkshopPage from './index';

const at = '/main/myLab/workshop';
const extendCall = 'POST /gateway/workshop/extend';
const stopCall = 'POST /gateway/workshop/stop';
const show = () => renderPage(<WorkshopPage />, { at, route: at });
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const bodiesOf = (calls: ReturnType<typeof answerCalls>, key: string) =>
  calls.filter((call) => call.key === key).map(({ body }) => body);

function answerWith(lab: Lab, more: Parameters<typeof labAnswers>[1] = {}) {
  return answerCalls(labAnswers([lab], { [extendCall]: success(lab), [stopCall]: success(lab), ...more }));
}

describe('a lab that stops by itself soon', () => {
  it('without use says so in its card and goes on at one press', async () => {
    const session = buildSession({ stopsAt: inMinutes(9), stopsCause: 'IDLE', idleSince: inMinutes(-21) });
    const calls = answerWith(buildRunningLab({ session, idleMinutes: 30 }));
    show();

    expect(await screen.findByText(/Stops by itself in/)).toHaveTextContent(/in (9:00|8:\d\d)/);
    expect(screen.getByText(/It was last used/)).toBeInTheDocument();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Keep it running' }));

    await waitFor(() => expect(bodiesOf(calls, extendCall)).toEqual([{ workshopId: buildLab().workshopId }]));
  });

  it.each([
    ['BALANCE', 0, 'Top up', '/main/personalCenter/costCenter/account?topUp=1'],
    ['LEVEL_MAX_HOURS', 0, 'See packages', '/main/personalCenter/costCenter/membership'],
  ] as const)('for %s names the way out', async (stopsCause, extendableHours, words, path) => {
    answerWith(buildRunningLab({ session: buildSession({ stopsAt: inMinutes(5), stopsCause, extendableHours }) }));
    show();

    expect(await screen.findByRole('link', { name: words })).toHaveAttribute('href', path);
  });

  it('is not spoken of while its end is further away', async () => {
    answerWith(buildRunningLab({ session: buildSession({ stopsAt: inMinutes(11) }) }));
    show();

    expect(await screen.findByRole('button', { name: 'Open terminal' })).toBeEnabled();
    expect(screen.queryByText(/Stops by itself in/)).not.toBeInTheDocument();
  });
});

describe('letting a lab run longer', () => {
  const extendable = buildRunningLab({ session: buildSession({ extendableHours: 3 }), maxHours: 2 });

  it('adds hours with their cost, and shows the answer', async () => {
    const calls = answerWith(extendable);
    show();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Extend Transformer notes' }));
    const dialog = await screen.findByRole('dialog', { name: 'Let Transformer notes run longer' });
    expect(dialog).toHaveTextContent('3 hours can still be added.');
    const hours = within(dialog).getByRole('spinbutton', { name: 'Add hours' });
    await user.clear(hours);
    await user.type(hours, '2');
    expect(dialog).toHaveTextContent('2 hours cost 1 DCU.');
    await user.click(within(dialog).getByRole('button', { name: 'Add 2 hours' }));

    await waitFor(() => expect(bodiesOf(calls, extendCall)).toEqual([{ workshopId: extendable.workshopId, hours: 2 }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('says in its dialog what the gateway refuses', async () => {
    answerWith(extendable, { [extendCall]: refusal(40010, 'One hour is left.') });
    show();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Extend Transformer notes' }));
    await user.click(await screen.findByRole('button', { name: 'Add 1 hour' }));

    expect(await within(screen.getByRole('dialog')).findByText('One hour is left.')).toBeInTheDocument();
  });

  it('offers no hours where the level is what ends it', async () => {
    answerWith(buildRunningLab({ session: buildSession({ stopsCause: 'LEVEL_MAX_HOURS' }) }));
    show();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'More for Transformer notes' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Extend' }));
    const dialog = await screen.findByRole('dialog');

    expect(within(dialog).getByRole('link', { name: 'See packages' })).toBeInTheDocument();
    expect(within(dialog).queryByRole('button', { name: /Add/ })).not.toBeInTheDocument();
  });
});

describe('stopping at once', () => {
  it('says what may be lost, and forces', async () => {
    const calls = answerWith(buildRunningLab({ state: 'STOPPING' }));
    show();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Stop at once' }));
    const dialog = await screen.findByRole('dialog', { name: 'Stop Transformer notes at once?' });
    expect(dialog).toHaveTextContent(/not written to a file yet is lost/);
    expect(bodiesOf(calls, stopCall)).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Stop at once' }));

    await waitFor(() => expect(bodiesOf(calls, stopCall)).toEqual([{ workshopId: buildLab().workshopId, isForced: true }]));
  });
});

describe('a start that takes its time', () => {
  it('shows how far it is, and can be cancelled', async () => {
    const session = buildSession({ startedAt: null, progress: { percent: 40, detail: 'Layer 2 of 5' } });
    const calls = answerWith(buildLab({ state: 'PULLING', session }));
    show();

    expect(await screen.findByRole('progressbar', { name: 'Fetching image' })).toHaveAttribute('aria-valuenow', '40');
    expect(screen.getByText('Layer 2 of 5')).toBeInTheDocument();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Cancel start' }));

    await waitFor(() => expect(bodiesOf(calls, stopCall)).toEqual([{ workshopId: buildLab().workshopId }]));
  });
});

describe('stopping everything', () => {
  it('names the labs, asks once, and says how many stop', async () => {
    const other = buildLab({ workshopId: 'other', name: 'Graphs' });
    const calls = answerCalls(
      labAnswers([buildRunningLab(), other], { 'POST /gateway/workshop/stopAll': success({ stopping: 1 }) }),
    );
    show();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Stop everything' }));
    const dialog = await screen.findByRole('dialog', { name: 'Stop every lab?' });
    const which = await within(dialog).findByRole('list', { name: 'Labs that stop' });
    expect(
      within(which)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Transformer notes Running']);
    await user.click(within(dialog).getByRole('button', { name: 'Stop 1 lab' }));

    expect(await screen.findByText('1 lab is stopping')).toBeInTheDocument();
    expect(calls.filter(({ key }) => key === 'POST /gateway/workshop/stopAll')).toHaveLength(1);
  });

  it('is not offered while nothing runs', async () => {
    answerWith(buildLab());
    show();
    await screen.findByRole('button', { name: 'Start lab' });

    expect(screen.queryByRole('button', { name: 'Stop everything' })).not.toBeInTheDocument();
  });
});
