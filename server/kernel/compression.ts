/** How what leaves is compressed: which encoding a client takes, and answers of the API (docs/decisions/0060). */
import type { IncomingHttpHeaders } from 'node:http';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity';

const takes = (name: string) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`);
const TAKES = { zstd: takes('zstd'), br: takes('br'), gzip: takes('gzip') } as const;

/** The first of ours that a client takes. */
export function chooseEncoding<Ours extends keyof typeof TAKES>(
  headers: IncomingHttpHeaders,
  ours: readonly Ours[],
): Ours | 'identity' {
  const accept = headers['accept-encoding'];
  return (typeof accept === 'string' && ours.find((encoding) => TAKES[encoding].test(accept))) || 'identity';
}

export function toZstd(bytes: Buffer, level: number): Buffer {
  return zstdCompressSync(bytes, {
    pledgedSrcSize: bytes.length,
    params: { [constants.ZSTD_c_compressionLevel]: level },
  });
}

/** Smaller ones fit into two packets, which compressing them does not change. */
const LEAST_CHARACTERS = 2_048;

/** Fast, as it is for one reader. On this thread: another one's turn costs more. */
const ONCE = {
  zstd: (bytes: Buffer) => toZstd(bytes, 1),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 1 }),
} as const;

/** Sends an answer of the API. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
  const encoding = text.length < LEAST_CHARACTERS ? 'identity' : chooseEncoding(request.headers, ['zstd', 'gzip']);
  if (encoding === 'identity') return reply.send(text);
  return reply.header('content-encoding', encoding).send(ONCE[encoding](Buffer.from(text)));
}
