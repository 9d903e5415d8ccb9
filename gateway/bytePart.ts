import type { FastifyReply } from 'fastify';
import { Refusal } from './refusal';

/** A part of a file, by its first and its last byte. */
export interface BytePart {
  from: number;
  to: number;
}

/** Which part of a file a `Range` header asks for; null for all of it. Throws RANGE_NOT_SATISFIABLE for one beyond its end. */
export function rangeOf(header: string | undefined, size: number): BytePart | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  // Several ranges, other units and nonsense are answered whole, as RFC 9110 allows.
  if (first === '' && last === '') return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  if (from >= size || to < from) throw new Refusal('RANGE_NOT_SATISFIABLE');
  return { from, to };
}

/** Says beside a file, or the part of it that was asked for, which bytes they are. */
export function tellBytes(
  reply: FastifyReply,
  { sizeBytes, part, etag }: { sizeBytes: number; part: BytePart | null; etag: string },
): void {
  reply.headers({ 'accept-ranges': 'bytes', etag, 'content-length': part ? part.to - part.from + 1 : sizeBytes });
  if (part) reply.code(206).header('content-range', `bytes ${part.from}-${part.to}/${sizeBytes}`);
}
