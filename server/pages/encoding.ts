/** Compresses an answer and sends it. Rendered pages are compressed fast; kept ones well, once. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rendered } from './render.ts';

const MIN_BYTES = 1_024;
const TEXT = /^(?:text\/|application\/(?:json|javascript)|image\/svg)/;

export type Encoding = 'br' | 'gzip' | 'identity';

/** The best of ours that a client takes. */
export function chooseEncoding(accept: string | string[] | undefined): Encoding {
  if (typeof accept !== 'string') return 'identity';
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accept)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accept) ? 'gzip' : 'identity';
}

/** The least window that holds the whole body: a larger one is memory that is asked for, touched and given back each time. */
function windowBits(bytes: number): number {
  return Math.min(22, Math.max(16, Math.ceil(Math.log2(bytes + 1))));
}

/**
 * On this thread: a page takes a millisecond, which is less than handing it to another and taking it back.
 */
export function compress(body: Buffer, encoding: Encoding, quality: number): Buffer {
  if (encoding === 'br')
    return brotliCompressSync(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_LGWIN]: windowBits(body.length),
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    });
  return encoding === 'gzip' ? gzipSync(body, { level: Math.min(quality, 9) }) : body;
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
  const encoding =
    isText && answer.body.length >= MIN_BYTES ? chooseEncoding(request.headers['accept-encoding']) : 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(compress(answer.body, encoding, 4));
}
