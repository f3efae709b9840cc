/** How what leaves is compressed: which encoding a client takes, and answers of the API (docs/decisions/0060). */
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity';

const takes = (name: string) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`);
const TAKES = { zstd: takes('zstd'), br: takes('br'), gzip: takes('gzip') } as const;

/** The best of ours that a client takes; zstd unless it is said not to be. */
export function chooseEncoding(headers: IncomingHttpHeaders, hasZstd = true): Encoding {
  const accept = headers['accept-encoding'];
  if (typeof accept !== 'string') return 'identity';
  if (hasZstd && TAKES.zstd.test(accept)) return 'zstd';
  if (TAKES.br.test(accept)) return 'br';
  return TAKES.gzip.test(accept) ? 'gzip' : 'identity';
}

export function toZstd(bytes: Buffer, level: number): Buffer {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
}

/** The least window that holds the whole body: a larger one is memory that is asked for, touched and given back each time. */
function windowBits(bytes: number): number {
  return Math.min(22, Math.max(16, Math.ceil(Math.log2(bytes + 1))));
}

export function toBrotli(bytes: Buffer, quality: number): Buffer {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}

/** Smaller ones fit into two packets, which compressing them does not change. */
const LEAST_CHARACTERS = 2_048;

/** Fast ones, made for one reader. On this thread: another one's turn costs more. */
const ONCE = {
  zstd: (bytes: Buffer) => toZstd(bytes, 1),
  br: (bytes: Buffer) => toBrotli(bytes, 2),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 1 }),
} as const;

/** Sends an answer of the API. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
  const encoding = text.length < LEAST_CHARACTERS ? 'identity' : chooseEncoding(request.headers);
  if (encoding === 'identity') return reply.send(text);
  return reply.header('content-encoding', encoding).send(ONCE[encoding](Buffer.from(text)));
}
