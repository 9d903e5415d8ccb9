import type { Locator } from '@playwright/test';

/** Data codewords of a block and blocks of a symbol, by version, at error correction M. */
const BLOCKS: readonly (readonly [codewords: number, blocks: number])[] = [
  [16, 1],
  [28, 1],
  [44, 1],
  [32, 2],
  [43, 2],
  [27, 4],
];
const FORMAT_MASK = 0b101010000010010;
const LEVEL_M = 0b00;
const BYTES_MODE = 0b0100;

type Grid = readonly (readonly boolean[])[];

/** The eight masks of the standard: what a dark module means depends on its place. */
const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** What a phone would read in the picture: a text in bytes, versions 1 to 6 at level M, from an SVG that has no dirt to correct. */
export async function readQr(picture: Locator): Promise<string> {
  const grid = await modulesOf(picture);
  const size = grid.length;
  const version = (size - 17) / 4;
  const [codewords, blocks] = BLOCKS[version - 1] ?? [0, 0];
  const format = bitsOf(formatPlaces.map(([row, column]) => isDark(grid, row, column))) ^ FORMAT_MASK;
  if (codewords === 0 || format >> 13 !== LEVEL_M) throw new Error(`A QR code of ${size} modules and format ${format}`);
  const mask = masks[(format >> 10) & 7];
  const bits = dataPlaces(size).map(([row, column]) => isDark(grid, row, column) !== mask?.(row, column));
  const mixed = Array.from({ length: codewords * blocks }, (_, index) => bitsOf(bits.slice(index * 8, index * 8 + 8)));
  // The blocks are dealt out like cards: each in turn gives its first codeword, then each its second.
  const data = Array.from({ length: blocks }, (_, block) => mixed.filter((_, index) => index % blocks === block)).flat();
  const stream = data.flatMap((byte) => Array.from({ length: 8 }, (_, bit) => ((byte >> (7 - bit)) & 1) === 1));
  if (bitsOf(stream.slice(0, 4)) !== BYTES_MODE) throw new Error('A QR code of something else than bytes');
  const length = bitsOf(stream.slice(4, 12));
  const bytes = Array.from({ length }, (_, index) => bitsOf(stream.slice(12 + index * 8, 20 + index * 8)));
  return Buffer.from(bytes).toString('utf8');
}

/** Light and dark, module by module, as the picture is drawn. */
function modulesOf(picture: Locator): Promise<boolean[][]> {
  return picture.locator('svg').evaluate((svg) => {
    if (!(svg instanceof SVGSVGElement)) throw new Error('no SVG');
    const dark = [...svg.querySelectorAll('path')].at(-1);
    const size = svg.viewBox.baseVal.width;
    return Array.from({ length: size }, (_, row) =>
      Array.from({ length: size }, (_, column) => dark?.isPointInFill(new DOMPoint(column + 0.5, row + 0.5)) ?? false),
    );
  });
}

function isDark(grid: Grid, row: number, column: number): boolean {
  return grid[row]?.[column] ?? false;
}

function bitsOf(bits: readonly boolean[]): number {
  return bits.reduce((sum, bit) => sum * 2 + Number(bit), 0);
}

/** Round the upper left finder, the highest bit first. */
const formatPlaces: readonly (readonly [row: number, column: number])[] = [
  ...[0, 1, 2, 3, 4, 5, 7, 8].map((column) => [8, column] as const),
  ...[7, 5, 4, 3, 2, 1, 0].map((row) => [row, 8] as const),
];

/** Where data stands, in its order: pairs of columns from the right, up and down in turn, around what is fixed. */
function dataPlaces(size: number): [row: number, column: number][] {
  const places: [number, number][] = [];
  let isUpwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    // The column of timing is no part of a pair.
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = isUpwards ? size - 1 - step : step;
      for (const column of [right, right - 1]) if (!isFixed(size, row, column)) places.push([row, column]);
    }
    isUpwards = !isUpwards;
  }
  return places;
}

function isFixed(size: number, row: number, column: number): boolean {
  const isFinder = (row < 9 && (column < 9 || column >= size - 8)) || (row >= size - 8 && column < 9);
  const isAlignment = size > 21 && Math.abs(row - (size - 7)) <= 2 && Math.abs(column - (size - 7)) <= 2;
  return isFinder || row === 6 || column === 6 || isAlignment;
}
