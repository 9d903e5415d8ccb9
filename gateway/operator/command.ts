import type { Db } from '../db/client';

/** An option is a switch (`--json`) or a whole number within bounds (`--days 7`). */
export type OperatorOption =
  | { kind: 'switch'; meaning: string }
  | { kind: 'count'; meaning: string; default: number; min: number; max: number };

type Value<O extends OperatorOption> = O extends { kind: 'count' } ? number : boolean;
export type OptionValues<T extends Readonly<Record<string, OperatorOption>>> = { readonly [K in keyof T]: Value<T[K]> };

/** What a command works on. */
export interface OperatorContext {
  db: Db;
  /** Writes a line of the command's answer. */
  say: (line: string) => void;
}

/** `npm run operator -- <domain> <verb>`. */
export interface OperatorCommand<T extends Readonly<Record<string, OperatorOption>> = Readonly<Record<string, OperatorOption>>> {
  /** `track report`: the domain and what is done there. */
  name: `${string} ${string}`;
  /** One sentence for `--help`. */
  summary: string;
  options: T;
  run(context: OperatorContext, options: OptionValues<T>): Promise<void>;
}

/** Declares a command; its options' types follow from their declaration. */
export function defineCommand<const T extends Readonly<Record<string, OperatorOption>>>(
  command: OperatorCommand<T>,
): OperatorCommand {
  return command;
}
