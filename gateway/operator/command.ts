import type { Db } from '../db/client';
import type { Services } from '../services';

/** An option is a switch (`--json`), a whole number within bounds (`--days 7`) or text (`--reason "…"`), needed without a default. */
export type OperatorOption =
  | { kind: 'switch'; meaning: string }
  | { kind: 'count'; meaning: string; default: number; min: number; max: number }
  | { kind: 'text'; meaning: string; max: number; default?: string };

type Value<O extends OperatorOption> = O extends { kind: 'count' } ? number : O extends { kind: 'text' } ? string : boolean;
type Options = Readonly<Record<string, OperatorOption>>;
export type OptionValues<T extends Options> = { readonly [K in keyof T]: Value<T[K]> };

/** Writes a line of the command's answer. */
type Say = (line: string) => void;

/** What a command works on. */
export interface OperatorContext {
  db: Db;
  say: Say;
  /** The gateway's own services on the same database, made when first asked for. Compute engines are out of their reach. */
  services(): Promise<Services>;
  /** Who runs the command, as the machine knows them: the actor of its audit entries. */
  operator: string;
}

interface Described<T extends Options> {
  /** `track report`: the domain and what is done there. */
  name: `${string} ${string}`;
  /** One sentence for `--help`. */
  summary: string;
  options: T;
}

/** `npm run operator -- <domain> <verb>`. */
export interface OperatorCommand<T extends Options = Options> extends Described<T> {
  run(context: OperatorContext, options: OptionValues<T>): Promise<void>;
}

/** A command about what is built in: it needs no database and no setting. */
export interface OfflineCommand<T extends Options = Options> extends Described<T> {
  runOffline(say: Say, options: OptionValues<T>): void;
}

export type AnyCommand = OperatorCommand | OfflineCommand;

/** What a command was asked for cannot be done; its message is the one sentence the operator reads. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** Declares a command; its options' types follow from their declaration. */
export function defineCommand<const T extends Options>(command: OperatorCommand<T>): OperatorCommand {
  return command;
}
