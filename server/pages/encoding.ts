import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync, zstdDecompressSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, chooseEncoding as firstTaken, toZstd } from '../kernel/compression.ts';
import type { Rendered } from './render.ts';

const MIN_BYTES = 1_024;
const TEXT = /^(?:text\/|application\/(?:json|javascript)|image\/svg)/;

export type Body = { readonly head: Buffer; readonly piece?: Piece | undefined; readonly tail: Buffer };
export type Piece = { readonly bytes: Buffer; readonly zstd: Buffer };

export function wholeBody(bytes: Buffer): Body {
  return { head: bytes, tail: Buffer.alloc(0) };
}

export function ownLength({ head, tail }: Body): number {
  return head.length + tail.length;
}

export function joined({ head, piece, tail }: Body): Buffer {
  return piece || tail.length > 0 ? Buffer.concat([head, piece?.bytes ?? Buffer.alloc(0), tail]) : head;
}

/**
 * Browsers tested with several zstd frames in one body, which RFC 8878 (3) permits. Others may stop after the first.
 */
const READS_FRAMES = /\b(?:Chrome|Firefox)\/\d/;

export function chooseEncoding(headers: IncomingHttpHeaders): Encoding {
  return firstTaken(headers, READS_FRAMES.test(headers['user-agent'] ?? '') ? ['zstd', 'br', 'gzip'] : ['br', 'gzip']);
}

const ONCE_LEVEL = 19;
const LEVEL = 5;

export function toPiece(bytes: Buffer): Piece {
  return { bytes, zstd: toZstd(bytes, ONCE_LEVEL) };
}

/** The smallest window for the body, because a larger one is memory allocated on each call. */
function windowBits(bytes: number): number {
  return Math.min(22, Math.max(16, Math.ceil(Math.log2(bytes + 1))));
}

/** On this thread, because handing it to another takes longer. `quality` is for brotli and gzip. */
export function compress(body: Body, encoding: Encoding, quality: number): Buffer {
  const { head, piece, tail } = body;
  if (encoding === 'zstd' && piece) return Buffer.concat([toZstd(head, LEVEL), piece.zstd, toZstd(tail, LEVEL)]);
  const bytes = joined(body);
  if (encoding === 'identity') return bytes;
  if (encoding === 'zstd') return toZstd(bytes, LEVEL);
  if (encoding === 'gzip') return gzipSync(bytes, { level: Math.min(quality, 9) });
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}

export type Packed = { readonly head: Buffer; readonly piece?: Piece | undefined; readonly tail: Buffer };

/** Copies bytes out of Node's shared slabs, which a cached buffer would keep in memory. */
export function ownBytes(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

const isEmpty = (bytes: Buffer) => bytes.length === 0;

export function pack({ head, piece, tail }: Body): Packed {
  const packed = (bytes: Buffer) => (isEmpty(bytes) ? bytes : ownBytes(toZstd(bytes, LEVEL)));
  return { head: packed(head), piece, tail: packed(tail) };
}

export function unpack({ head, piece, tail }: Packed): Body {
  const unpacked = (bytes: Buffer) => (isEmpty(bytes) ? bytes : zstdDecompressSync(bytes));
  return { head: unpacked(head), piece, tail: unpacked(tail) };
}

export function withoutScript(policy: string, scripts = "'none'"): string {
  return policy.replace(/script-src [^;]+/, () => `script-src ${scripts}`);
}

export async function encode(request: FastifyRequest, reply: FastifyReply, answer: Rendered): Promise<FastifyReply> {
  for (const [name, value] of answer.headers)
    if (name !== 'set-cookie' && name !== 'content-length') reply.header(name, value);
  for (const cookie of answer.cookies) reply.header('set-cookie', cookie);
  if (!answer.headers.has('cache-control')) reply.header('cache-control', 'private, no-store');
  reply.header('vary', 'accept-encoding, cookie');
  const policy = reply.getHeader('content-security-policy');
  if ((answer.isScriptless || answer.scripts !== undefined) && typeof policy === 'string')
    reply.header('content-security-policy', withoutScript(policy, answer.scripts));
  if (!answer.isScriptless) reply.header('x-robots-tag', 'noindex');
  reply.status(answer.status);
  const isText = TEXT.test(answer.headers.get('content-type') ?? '');
  const encoding = isText && ownLength(answer.body) >= MIN_BYTES ? chooseEncoding(request.headers) : 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(compress(answer.body, encoding, 4));
}
