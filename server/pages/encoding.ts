/** Compresses an answer and sends it. What pages share is compressed once; rendered pages fast; kept ones well, once. */
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rendered } from './render.ts';

const MIN_BYTES = 1_024;
const TEXT = /^(?:text\/|application\/(?:json|javascript)|image\/svg)/;

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity';

/**
 * What is to be compressed: bytes, and where among them lies a piece that many bodies share, with the piece compressed by
 * {@link toLasting}.
 */
export type Body = { readonly bytes: Buffer; readonly lasting?: Lasting | undefined };
export type Lasting = { readonly from: number; readonly to: number; readonly zstd: Buffer };

/**
 * Browsers whose engine was tried with several frames in one body, which RFC 8878 (3) allows; others might stop after the
 * first.
 */
const READS_FRAMES = /\b(?:Chrome|Firefox)\/\d/;

const takes = (name: string) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`);
const TAKES = { zstd: takes('zstd'), br: takes('br'), gzip: takes('gzip') } as const;

/** The best of ours that a client takes. */
export function chooseEncoding(headers: IncomingHttpHeaders): Encoding {
  const accept = headers['accept-encoding'];
  if (typeof accept !== 'string') return 'identity';
  if (TAKES.zstd.test(accept) && READS_FRAMES.test(headers['user-agent'] ?? '')) return 'zstd';
  if (TAKES.br.test(accept)) return 'br';
  return TAKES.gzip.test(accept) ? 'gzip' : 'identity';
}

function toZstd(bytes: Buffer, level: number): Buffer {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
}

const ONCE_LEVEL = 19;
/** Higher ones take twice the time for a hundredth. */
const LEVEL = 5;

/** A piece that many bodies share, as a frame of its own: compressed once, as well as can be. */
export function toLasting(piece: Buffer): Buffer {
  return toZstd(piece, ONCE_LEVEL);
}

/** The least window that holds the whole body: a larger one is memory that is asked for, touched and given back each time. */
function windowBits(bytes: number): number {
  return Math.min(22, Math.max(16, Math.ceil(Math.log2(bytes + 1))));
}

/**
 * Compresses a page. On this thread: it takes less than handing it to another and taking it back. `quality` is brotli's.
 */
export function compress({ bytes, lasting }: Body, encoding: Encoding, quality: number): Buffer {
  if (encoding === 'identity') return bytes;
  if (encoding === 'gzip') return gzipSync(bytes, { level: Math.min(quality, 9) });
  if (encoding === 'br')
    return brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    });
  if (!lasting) return toZstd(bytes, LEVEL);
  const { from, to, zstd } = lasting;
  return Buffer.concat([toZstd(bytes.subarray(0, from), LEVEL), zstd, toZstd(bytes.subarray(to), LEVEL)]);
}

/** Allows no script at all, where the page has none. */
export function withoutScript(policy: string): string {
  return policy.replace(/script-src [^;]+/, "script-src 'none'");
}

/** Sends what was rendered for this one request. */
export async function encode(request: FastifyRequest, reply: FastifyReply, answer: Rendered): Promise<FastifyReply> {
  for (const [name, value] of answer.headers)
    if (name !== 'set-cookie' && name !== 'content-length') reply.header(name, value);
  for (const cookie of answer.cookies) reply.header('set-cookie', cookie);
  if (!answer.headers.has('cache-control')) reply.header('cache-control', 'private, no-store');
  reply.header('vary', 'accept-encoding, cookie');
  const policy = reply.getHeader('content-security-policy');
  if (answer.isScriptless && typeof policy === 'string') reply.header('content-security-policy', withoutScript(policy));
  if (!answer.isScriptless) reply.header('x-robots-tag', 'noindex');
  reply.status(answer.status);
  const isText = TEXT.test(answer.headers.get('content-type') ?? '');
  const encoding = isText && answer.body.bytes.length >= MIN_BYTES ? chooseEncoding(request.headers) : 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(compress(answer.body, encoding, 4));
}
