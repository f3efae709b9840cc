import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync, zstdDecompressSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding, toZstd } from '../platform/http/compression.ts';

export type RenderedPage = {
  status: number;
  headers: Headers;
  body: PageBody;
  cookies: readonly string[];
  isScriptless: boolean;
  scripts?: string | undefined;
  hasReportedEnd: boolean;
};

const MIN_BYTES = 1_024;
const TEXT = /^(?:text\/|application\/(?:json|javascript)|image\/svg)/;

export type PageBody = { readonly head: Buffer; readonly piece?: SharedPiece | undefined; readonly tail: Buffer };
export type SharedPiece = { readonly bytes: Buffer; readonly zstd: Buffer };

export function toBody(bytes: Buffer): PageBody {
  return { head: bytes, tail: Buffer.alloc(0) };
}

export function countOwnBytes({ head, tail }: PageBody): number {
  return head.length + tail.length;
}

export function joinBody({ head, piece, tail }: PageBody): Buffer {
  return piece || tail.length > 0 ? Buffer.concat([head, piece?.bytes ?? Buffer.alloc(0), tail]) : head;
}

/**
 * Browsers tested with several zstd frames in one body, which RFC 8878 (3) permits. Others may stop after the first.
 */
const READS_ZSTD_FRAMES = /\b(?:Chrome|Firefox)\/\d/;

export function choosePageEncoding(headers: IncomingHttpHeaders): Encoding {
  return chooseEncoding(
    headers,
    READS_ZSTD_FRAMES.test(headers['user-agent'] ?? '') ? ['zstd', 'br', 'gzip'] : ['br', 'gzip'],
  );
}

const SHARED_LEVEL = 19;
const LEVEL = 5;

export function toSharedPiece(bytes: Buffer): SharedPiece {
  return { bytes, zstd: toZstd(bytes, SHARED_LEVEL) };
}

/** The smallest window for the body, because a larger one is memory allocated on each call. */
function calculateWindowBits(bytes: number): number {
  return Math.min(22, Math.max(16, Math.ceil(Math.log2(bytes + 1))));
}

/** On this thread, because handing it to another takes longer. `quality` is for brotli and gzip. */
export function compressBody(body: PageBody, encoding: Encoding, quality: number): Buffer {
  const { head, piece, tail } = body;
  if (encoding === 'zstd' && piece) return Buffer.concat([toZstd(head, LEVEL), piece.zstd, toZstd(tail, LEVEL)]);
  const bytes = joinBody(body);
  if (encoding === 'identity') return bytes;
  if (encoding === 'zstd') return toZstd(bytes, LEVEL);
  if (encoding === 'gzip') return gzipSync(bytes, { level: Math.min(quality, 9) });
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: calculateWindowBits(bytes.length),
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}

export type PackedBody = { readonly head: Buffer; readonly piece?: SharedPiece | undefined; readonly tail: Buffer };

/** Copies bytes out of Node's shared slabs, which a cached buffer would keep in memory. */
export function copyBytes(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

const isEmpty = (bytes: Buffer) => bytes.length === 0;

export function packBody({ head, piece, tail }: PageBody): PackedBody {
  const packBytes = (bytes: Buffer) => (isEmpty(bytes) ? bytes : copyBytes(toZstd(bytes, LEVEL)));
  return { head: packBytes(head), piece, tail: packBytes(tail) };
}

export function unpackBody({ head, piece, tail }: PackedBody): PageBody {
  const unpackBytes = (bytes: Buffer) => (isEmpty(bytes) ? bytes : zstdDecompressSync(bytes));
  return { head: unpackBytes(head), piece, tail: unpackBytes(tail) };
}

export function restrictScripts(policy: string, scripts = "'none'"): string {
  return policy.replace(/script-src [^;]+/, () => `script-src ${scripts}`);
}

export async function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: RenderedPage,
): Promise<FastifyReply> {
  for (const [name, value] of rendered.headers)
    if (name !== 'set-cookie' && name !== 'content-length') reply.header(name, value);
  for (const cookie of rendered.cookies) reply.header('set-cookie', cookie);
  if (!rendered.headers.has('cache-control')) reply.header('cache-control', 'private, no-store');
  reply.header('vary', 'accept-encoding, cookie');
  const policy = reply.getHeader('content-security-policy');
  if ((rendered.isScriptless || rendered.scripts !== undefined) && typeof policy === 'string')
    reply.header('content-security-policy', restrictScripts(policy, rendered.scripts));
  if (!rendered.isScriptless) reply.header('x-robots-tag', 'noindex');
  reply.status(rendered.status);
  const isText = TEXT.test(rendered.headers.get('content-type') ?? '');
  const encoding =
    isText && countOwnBytes(rendered.body) >= MIN_BYTES ? choosePageEncoding(request.headers) : 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(compressBody(rendered.body, encoding, 4));
}
