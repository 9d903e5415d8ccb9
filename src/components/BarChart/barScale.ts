/** The top of an axis: the next round figure (1, 2, 2.5 or 5 times a power of ten) that nothing reaches beyond. */
export function roundTop(peak: number): number {
  if (!(peak > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(peak));
  // A hair of tolerance: 0.3 is not above 0.1 × 3 because of how floating point writes it.
  const step = [1, 2, 2.5, 5].find((times) => peak <= times * power * (1 + 1e-9)) ?? 10;
  return step * power;
}

/** Which of so many bars carry a word under them: every so manieth, counted from the newest, `most` of them at most. */
export function hasTick(index: number, count: number, most: number): boolean {
  const every = Math.max(1, Math.ceil(count / most));
  return (count - 1 - index) % every === 0;
}
