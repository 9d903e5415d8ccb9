import { microFromDcu } from '../dcu';
import { StartRefused } from '../startRefused';
import type { Words } from './entries';

/** A catalogue that must not be sold from, so that no gateway starts; the message is one sentence naming the entry. */
export class CatalogueError extends StartRefused {
  override readonly name = 'CatalogueError';
}

/** Throws `CatalogueError` unless it is so. */
export function requireThat(isSo: boolean, sentence: string): void {
  if (!isSo) throw new CatalogueError(sentence);
}

export function checkId(named: string, id: string, seen: { has(id: string): boolean }): void {
  requireThat(/^[a-z0-9][a-z0-9.-]{0,63}$/.test(id), `${named} has an id that is not short, lower-case and plain.`);
  requireThat(!seen.has(id), `${named} stands twice in the catalogue.`);
}

export function checkWords(named: string, fields: Readonly<Record<string, Words>>): void {
  for (const [field, words] of Object.entries(fields)) {
    for (const [language, text] of Object.entries(words)) {
      requireThat(text.trim() !== '', `${named} has no ${field} in ${language}.`);
    }
  }
}

/** Whole numbers above nothing; null is refused too, where it is not left out before. */
export function checkPositive(named: string, fields: Readonly<Record<string, number | null>>): void {
  for (const [field, value] of Object.entries(fields)) {
    requireThat(Number.isSafeInteger(value) && Number(value) > 0, `${named} needs a positive whole number as ${field}.`);
  }
}

/** As `checkPositive`, for fields that may be null. */
export function checkPositiveOrNone(named: string, fields: Readonly<Record<string, number | null>>): void {
  checkPositive(named, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)));
}

export function checkWithin(named: string, field: string, value: number, min: number, max: number): void {
  const isWithin = Number.isSafeInteger(value) && value >= min && value <= max;
  requireThat(isWithin, `${named} needs a whole number from ${min} to ${max} as ${field}.`);
}

/** Reads a decimal of DCU. */
export function readDcu(named: string, field: string, decimal: string): bigint {
  try {
    return microFromDcu(decimal);
  } catch (error) {
    if (error instanceof RangeError) throw new CatalogueError(`${named} has a ${field} that is not a DCU amount: ${decimal}.`);
    throw error;
  }
}

/** Reads a decimal of DCU above nothing. */
export function checkSomeDcu(named: string, field: string, decimal: string | null): void {
  requireThat(decimal !== null && readDcu(named, field, decimal) > 0n, `${named} needs a ${field} above nothing.`);
}
