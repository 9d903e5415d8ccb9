import pino, { type Logger } from 'pino';
import type { Config } from './config';
import { safeLogging } from './plugins/logRedaction';

/** The gateway's log: JSON lines on standard error, so that standard output stays for the operator's few sentences. */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return pino({ level: logLevel, ...safeLogging }, pino.destination(2));
}
