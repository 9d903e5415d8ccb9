/** The terminal socket: its path, its sub-protocol, and the JSON frames beside the binary ones, which are the terminal's bytes. */
export const terminalSocketPath = '/gateway/workshop/terminal/socket';

/** Offered together with `ticket.<one-use ticket>`; only this one is accepted, so that the ticket is echoed nowhere. */
export const terminalProtocol = 'atelier.terminal.v1';

/**
 * Why the gateway closes a terminal's socket. After STOPPED, SIGNED_OUT and NOT_FOUND coming back is of no use; after the others
 * the same terminal can be attached again.
 */
export const terminalByeReasons = [
  'STOPPED',
  'SIGNED_OUT',
  'NOT_FOUND',
  'LIMIT',
  'IDLE',
  'PROTOCOL',
  'UNREACHABLE',
  'SHUTDOWN',
] as const;
export type TerminalByeReason = (typeof terminalByeReasons)[number];

/** Browser → gateway, as text. */
export interface TerminalResize {
  type: 'resize';
  cols: number;
  rows: number;
}

/** Gateway → browser, as text. `ready` comes first, then the replay as binary. */
export type TerminalMessage =
  | { type: 'ready'; terminalId: string }
  | { type: 'exit'; exitCode: number }
  | { type: 'bye'; reason: TerminalByeReason };
