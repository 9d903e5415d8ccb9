/** The line through the values, oldest first, in a box of the given size; empty with fewer than two. */
export function sparklinePath(values: readonly number[], width: number, height: number, max: number): string {
  if (values.length < 2) return '';
  const ceiling = Math.max(max, ...values);
  const step = width / (values.length - 1);
  return values
    .map((value, index) => {
      const y = height - (Math.max(0, value) / ceiling) * height;
      return `${index === 0 ? 'M' : 'L'}${round(index * step)} ${round(y)}`;
    })
    .join('');
}

function round(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}
