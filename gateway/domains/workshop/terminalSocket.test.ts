import { once } from 'node:events';
import { terminalProtocol } from '../../contract/terminal';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance } from '../../testing/testDatabase';
import { cookieOf, openTab, originOf, refusedWith, type TerminalTab, takeTicket } from './terminalClient';
import { getView, type Lab, pass, startLab } from './testbed';

describe('the terminal socket', () => {
  let test: TestApp;
  let lab: Lab;
  beforeEach(async () => {
    test = await buildTestApp();
    lab = await startLab(test);
  });
  afterEach(() => test.close());

  const ticketFor = (terminalId?: string) => takeTicket(test, lab.member, lab.workshopId, terminalId);

  async function open(terminalId?: string): Promise<TerminalTab & { terminalId: string }> {
    const { ticket, ...issued } = await ticketFor(terminalId);
    const tab = await openTab(test, { cookie: cookieOf(lab.member), ticket });
    expect(await tab.said('ready')).toEqual({ type: 'ready', terminalId: issued.terminalId });
    return { ...tab, terminalId: issued.terminalId };
  }

  it('carries bytes both ways, by the sub-protocol and without echoing the ticket', async () => {
    const tab = await open();

    tab.socket.send(Buffer.from('echo $((6*7))\r'));
    await tab.printed('42');

    expect(tab.socket.protocol).toBe(terminalProtocol);
    expect(tab.socket.extensions).toBe('');
    tab.socket.close();
  });

  it('attaches again with the screen replayed, after the tab was only closed', async () => {
    const first = await open();
    first.socket.send(Buffer.from('echo kept\r'));
    await first.printed('kept');
    first.socket.close();
    await first.closed;
    expect(await getView(test, lab.member, lab.workshopId)).toMatchObject({
      state: 'RUNNING',
      session: { terminalIds: [first.terminalId] },
    });

    const again = await open(first.terminalId);
    await again.printed('kept');

    again.socket.close();
  });

  it('resizes within limits and tells the exit of a shell', async () => {
    const tab = await open();

    tab.socket.send(JSON.stringify({ type: 'resize', cols: 9_999, rows: 40 }));
    tab.socket.send(Buffer.from('stty size\r'));
    await tab.printed('40 500');
    tab.socket.send(Buffer.from('exit 3\r'));

    expect(await tab.said('exit')).toEqual({ type: 'exit', exitCode: 3 });
    expect((await tab.closed).code).toBe(1000);
  });

  it('refuses another origin, none, no cookie, no ticket, a used, an expired and another’s ticket', async () => {
    const cookie = cookieOf(lab.member);
    const { ticket } = await ticketFor();
    const origin = await originOf(test);

    expect(await refusedWith(test, { cookie, ticket, origin: 'https://evil.example' })).toBe(403);
    expect(await refusedWith(test, { cookie, ticket, origin: null })).toBe(403);
    expect(await refusedWith(test, { cookie, ticket, origin: 'null' })).toBe(403);
    expect(await refusedWith(test, { cookie: null, ticket, origin })).toBe(401);
    expect(await refusedWith(test, { cookie: `sessionId=${lab.member.loginSessionId}`, ticket })).toBe(401);
    expect(await refusedWith(test, { cookie, protocols: [terminalProtocol] })).toBe(403);
    expect(await refusedWith(test, { cookie, protocols: [`ticket.${ticket}`] })).toBe(403);
    expect(await refusedWith(test, { cookie, ticket: 'A'.repeat(43) })).toBe(403);
    const stranger = await test.buildMember();
    expect(await refusedWith(test, { cookie: cookieOf(stranger), ticket })).toBe(403);

    const tab = await openTab(test, { cookie, ticket });
    expect(await refusedWith(test, { cookie, ticket })).toBe(403);
    tab.socket.close();

    const late = await ticketFor();
    await advance(test.db, 61_000);
    expect(await refusedWith(test, { cookie, ticket: late.ticket })).toBe(403);
  });

  it('gives no ticket for a foreign, a stopped or an unreachable workshop, and answers a plain GET like no page', async () => {
    const { workshopId } = lab;
    const stranger = await test.buildMember();
    const ask = (member: Lab['member'] | null) => test.as(member).send('POST /gateway/workshop/terminal', { body: { workshopId } });
    expect(await ask(null)).toFailWith('UNAUTHORIZED');
    expect(await ask(stranger)).toFailWith('NOT_FOUND');

    test.engine.simulate.setReachable(false);
    expect(await ask(lab.member)).toFailWith('ENGINE_UNAVAILABLE');
    test.engine.simulate.setReachable(true);

    await test.as(lab.member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    expect(await ask(lab.member)).toFailWith('WORKSHOP_NOT_RUNNING');

    const plain = await test.app.inject({ url: '/gateway/workshop/terminal/socket', headers: { cookie: cookieOf(lab.member) } });
    expect(plain.statusCode).toBe(404);
  });

  it('has at most five terminals a workshop and twenty sockets a member', async () => {
    const tabs = [await open(), await open(), await open(), await open(), await open()];
    const sixth = await test.as(lab.member).send('POST /gateway/workshop/terminal', { body: { workshopId: lab.workshopId } });
    expect(sixth).toFailWith('TERMINAL_LIMIT');

    while (tabs.length < 20) tabs.push(await open(tabs[0]?.terminalId));
    const { ticket } = await ticketFor(tabs[0]?.terminalId);
    expect(await refusedWith(test, { cookie: cookieOf(lab.member), ticket })).toBe(429);

    for (const tab of tabs) tab.socket.close();
  });

  it('closes on logout and on stop, saying why', async () => {
    const signedOut = await open();
    await test.as(lab.member).send('POST /gateway/user/logout');
    expect(await signedOut.said('bye')).toEqual({ type: 'bye', reason: 'SIGNED_OUT' });
    await signedOut.closed;

    const other = await startLab(test);
    const { ticket } = await takeTicket(test, other.member, other.workshopId);
    const stopped = await openTab(test, { cookie: cookieOf(other.member), ticket });
    await stopped.said('ready');
    await test.as(other.member).send('POST /gateway/workshop/stop', { body: { workshopId: other.workshopId } });
    expect(await stopped.said('bye')).toEqual({ type: 'bye', reason: 'STOPPED' });
    await stopped.closed;
  });

  it('notices within a minute what ended on another gateway', async () => {
    const tab = await open();
    await test.db.updateTable('loginSession').set({ revokedAt: new Date() }).where('id', '=', lab.member.loginSessionId).execute();

    await test.services.terminalSockets.recheck();

    expect(await tab.said('bye')).toEqual({ type: 'bye', reason: 'SIGNED_OUT' });
  });

  it('closes when the engine is lost, and is there again when that is back', async () => {
    const tab = await open();
    test.engine.simulate.setReachable(false);
    expect(await tab.said('bye')).toEqual({ type: 'bye', reason: 'UNREACHABLE' });

    test.engine.simulate.setReachable(true);
    await pass(test);
    const again = await open(tab.terminalId);

    again.socket.close();
  });

  it('says goodbye when the gateway goes down', async () => {
    const tab = await open();

    const closing = test.app.close();

    expect((await tab.closed).code).toBe(1001);
    expect(tab.messages).toContainEqual({ type: 'bye', reason: 'SHUTDOWN' });
    await closing;
  });

  it('survives ten thousand frames of junk and a frame that is too large', async () => {
    const junk = await open();
    for (let frame = 0; frame < 10_000; frame += 1) junk.socket.send(frame % 2 ? '{"type":' : '[]');
    expect(await junk.said('bye')).toEqual({ type: 'bye', reason: 'PROTOCOL' });

    const large = await open();
    large.socket.on('error', () => undefined);
    large.socket.send(Buffer.alloc(65_537));
    expect((await large.closed).code).toBe(1009);

    const still = await open();
    still.socket.send(Buffer.from('echo still here\r'));
    await still.printed('still here');
    still.socket.close();
    await once(still.socket, 'close');
  });
});
