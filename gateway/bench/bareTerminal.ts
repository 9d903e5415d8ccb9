import type { AddressInfo } from 'node:net';
import { spawn } from '@lydell/node-pty';
import { WebSocketServer } from 'ws';
import { bareBubblewrap } from './bareBubblewrap';

/** The least that puts a shell into a browser: a WebSocket server that hands every frame to a pty, and back. */
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false }, () => {
  process.stdout.write(`bare on ws://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
server.on('connection', (socket) => {
  const shell = spawn('bwrap', [...bareBubblewrap, 'bash', '--norc'], {
    cols: 80,
    rows: 24,
    env: { PATH: '/usr/bin', PS1: 'lab$ ' },
  });
  shell.onData((text) => socket.send(Buffer.from(text)));
  socket.on('message', (frame) => shell.write(frame.toString()));
  socket.on('close', () => shell.kill('SIGKILL'));
});
