/** Sends bytes with ranges and validators (RFC 9110, 14). */
import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../../platform/context.ts';
import type { StoredFile } from '../../../../platform/storage/storage.ts';
import { getContentType } from '../keys.ts';
import type { GrantedFile } from './access.ts';
import { countInflightResponse } from './inflight-limits.ts';
import { sendLocal } from './send-local.ts';

/** Larger files bypass Fastify's streams, which allocate a new buffer for every piece. */
const LARGE_BYTES = 96 * 1024;
/** A streamed file holds at most its two buffers (send-local.ts). */
const STREAMED_BYTES = 1024 * 1024;

function copyHeaders(reply: FastifyReply): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) headers[name] = value;
  return headers;
}

type ByteRange = { start: number; end: number };

/**
 * Parses one range (RFC 9110, 14.1.2). Returns undefined without a valid range, `false` if it lies outside the file.
 */
export function parseRange(header: string | undefined, byteSize: number): ByteRange | undefined | false {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const length = Math.min(Number(last), byteSize);
    return length === 0 ? false : { start: byteSize - length, end: byteSize - 1 };
  }
  const start = Number(first);
  const end = last === '' ? byteSize - 1 : Math.min(Number(last), byteSize - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= byteSize ? false : { start, end };
}

function toEtag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

export type FileDelivery = { cache: string; contentType: string; etag: string };

function setFileHeaders(reply: FastifyReply, { cache, contentType, etag }: FileDelivery): void {
  reply.header('cache-control', cache).header('etag', etag).header('accept-ranges', 'bytes').type(contentType);
  reply.header('content-disposition', 'inline').header('x-content-type-options', 'nosniff');
  if (cache.startsWith('private')) reply.header('vary', 'cookie').header('cross-origin-resource-policy', 'same-origin');
  else reply.header('cross-origin-resource-policy', 'cross-origin');
}

function startResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  byteSize: number,
): ByteRange | undefined {
  const ifNoneMatch = request.headers['if-none-match'];
  if (ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) {
    reply.status(304);
    return undefined;
  }
  const condition = request.headers['if-range'];
  const isRangeValid = condition === undefined || condition === etag;
  const range = request.method === 'GET' && isRangeValid ? parseRange(request.headers.range, byteSize) : undefined;
  if (range === false) {
    reply.status(416).header('content-range', `bytes */${byteSize}`);
    return undefined;
  }
  reply.header('content-length', range ? range.end - range.start + 1 : byteSize);
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${byteSize}`);
  return request.method === 'HEAD' ? undefined : (range ?? { start: 0, end: byteSize - 1 });
}

/** The bytes stay in memory until they are sent. Throws RATE_LIMITED. */
export function sendBytes(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  content: Buffer,
  delivery: Omit<FileDelivery, 'etag'>,
): FastifyReply {
  countInflightResponse(ctx, request, reply, content.length);
  const etag = toEtag(content);
  setFileHeaders(reply, { ...delivery, etag });
  const range = startResponse(request, reply, etag, content.length);
  return range ? reply.send(content.subarray(range.start, range.end + 1)) : reply.send();
}

/** Encodes a file name for a header (RFC 8187). */
function encodeFileName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Security: a file from a user must never be rendered as a page of this site. */
function setGrantedFileHeaders(reply: FastifyReply, { contentType, downloadName }: GrantedFile): void {
  reply.header('content-security-policy', "sandbox; default-src 'none'").type(contentType);
  if (downloadName !== undefined)
    reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeFileName(downloadName)}`);
}

/** Throws NOT_FOUND, RATE_LIMITED. A `granted` file gets its own type and a sandbox policy. */
export async function sendFile(
  ctx: Context,
  key: string,
  cache: string,
  request: FastifyRequest,
  reply: FastifyReply,
  granted?: GrantedFile,
): Promise<FastifyReply> {
  const file: StoredFile | undefined = await ctx.storage.open(key);
  if (!file) throw new AppError('NOT_FOUND');
  countInflightResponse(ctx, request, reply, Math.min(file.byteSize, STREAMED_BYTES));
  const contentType = getContentType(key);
  // The bytes of a key never change, so key and size identify them.
  const etag = toEtag(`${key} ${file.byteSize}`);
  setFileHeaders(reply, { cache, contentType, etag });
  if (granted) setGrantedFileHeaders(reply, granted);
  const range = startResponse(request, reply, etag, file.byteSize);
  if (!range || range.end < range.start) return reply.send();
  if (file.path !== undefined && range.end - range.start >= LARGE_BYTES) {
    reply.hijack();
    reply.raw.writeHead(reply.statusCode, copyHeaders(reply));
    await sendLocal(reply.raw, file.path, range.start, range.end);
    return reply;
  }
  return reply.send(await file.stream(range));
}
