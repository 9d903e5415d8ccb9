/**
 * Stands in for `qs`, of which umi-request uses these two functions for flat queries: with its dependencies it would be
 * a sixteenth of the first chunk.
 */
export function stringify(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) query.append(name, String(one));
  }
  return query.toString();
}

export function parse(query: string): Record<string, string | string[]> {
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const [first = '', ...more] = params.getAll(name);
      return [name, more.length > 0 ? [first, ...more] : first];
    }),
  );
}
