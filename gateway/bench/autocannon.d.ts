/** What the benches use of it; it brings no types of its own. */
declare module 'autocannon' {
  interface Options {
    url: string;
    headers?: Record<string, string>;
    connections: number;
    duration: number;
  }
  interface Result {
    /** In seconds. */
    duration: number;
    non2xx: number;
    errors: number;
    requests: { total: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
