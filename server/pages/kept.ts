/**
 * Visitors' pages kept in memory: compressed as they are sent to most, bounded in size and age, purged by tag when something
 * they show changes. Rendering for the same address happens once at a time.
 */
import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Encoding } from '../kernel/compression.ts';
import type { Here } from '../kernel/places.ts';
import { chooseEncoding, compress, ownBytes, type Packed, pack, unpack, withoutScript } from './encoding.ts';
import { isHtml, type Rendered } from './render.ts';
import { personsOf } from './tags.ts';

export type KeptPage = {
  readonly body: Packed;
  /** In other encodings, made when they are first asked for: most pages are asked for in one. */
  readonly compressed: Map<Encoding, Buffer>;
  readonly etag: string;
  readonly tags: ReadonlySet<string>;
  readonly bytes: number;
  /** Who may show it in a frame, where not everybody or nobody may (CSP frame-ancestors). */
  readonly framers?: string | undefined;
  /** What its policy allows of script; nothing unless said. */
  readonly scripts?: string | undefined;
  /** By encoding, made with the first answer: the security headers come from it. */
  readonly headers: Map<Encoding | 'none', OutgoingHttpHeaders>;
};

/** A policy with those who may show the page in a frame. */
export function framedBy(policy: string, framers: string | undefined): string {
  return framers === undefined ? policy : policy.replace(/frame-ancestors [^;]+/, `frame-ancestors ${framers}`);
}

export type Kept = {
  get(key: string): KeptPage | undefined;
  /** Runs `make` unless it runs already for this key; keeps its page unless something was purged meanwhile. */
  once<T extends { page?: KeptPage }>(key: string, make: () => Promise<T>): Promise<Made>;
  /** Forgets every page with one of these tags. */
  purge(tags: readonly string[]): void;
  clear(): void;
  readonly size: { pages: number; bytes: number };
};

type Made = { page?: KeptPage; answer?: Rendered };
type Options = { maxBytes: number; maxAgeMs: number; now: () => number };

/** Of an entry beside its bytes: tags, headers, places in maps. Measured. */
const ENTRY_BYTES = 4_096;

export function createKept({ maxBytes, maxAgeMs, now }: Options): Kept {
  // Insertion order is age of use: a page that is read moves to the end.
  const pages = new Map<string, { page: KeptPage; until: number }>();
  const running = new Map<string, Promise<Made>>();
  let bytes = 0;
  let purges = 0;

  const drop = (key: string) => {
    bytes -= pages.get(key)?.page.bytes ?? 0;
    pages.delete(key);
  };
  const put = (key: string, page: KeptPage) => {
    if (page.bytes > maxBytes / 4) return;
    drop(key);
    pages.set(key, { page, until: now() + maxAgeMs });
    bytes += page.bytes;
    for (const oldest of pages.keys()) {
      if (bytes <= maxBytes) break;
      drop(oldest);
    }
  };

  return {
    get: (key) => {
      const found = pages.get(key);
      if (!found) return undefined;
      if (found.until <= now()) {
        drop(key);
        return undefined;
      }
      pages.delete(key);
      pages.set(key, found);
      return found.page;
    },
    once: (key, make) => {
      const known = pages.get(key);
      if (known && known.until > now()) return Promise.resolve({ page: known.page });
      const under = running.get(key);
      if (under) return under;
      const before = purges;
      const made = make()
        .then((result) => {
          // What changed while it was rendered may not be in it.
          if (result.page && purges === before) put(key, result.page);
          return result;
        })
        .finally(() => running.delete(key));
      running.set(key, made);
      return made;
    },
    purge: (tags) => {
      purges += 1;
      // A rendering under way may show the old state: the next to ask begins anew.
      running.clear();
      for (const [key, { page }] of pages) if (tags.some((tag) => page.tags.has(tag))) drop(key);
    },
    clear: () => {
      purges += 1;
      running.clear();
      pages.clear();
      bytes = 0;
    },
    get size() {
      return { pages: pages.size, bytes };
    },
  };
}

/** What changes a visitor's page beside its address. Any other value of these cookies changes nothing, and keeps nothing. */
export function lookOf({ theme, age }: Readonly<Record<string, string | undefined>>): string {
  return `${theme === 'light' || theme === 'dark' ? theme : ''}|${age === '1' ? '1' : ''}|`;
}

/**
 * Whether an answer may be shown to everybody: a page (the same address with `.data` answers what the app's script asks
 * for, which as a page would be a stranger's markup), whole, and without anybody's cookies.
 */
export function mayKeep(answer: Pick<Rendered, 'status' | 'headers'>, callStatuses: Iterable<number>): boolean {
  const isWhole = answer.status === 200 && [...callStatuses].every((status) => status < 400);
  return isWhole && isHtml(answer) && !answer.headers.has('set-cookie');
}

/** Whether a page that was made for everybody is right here: nobody is on it who is hidden. */
export function isForAll({ tags }: Pick<KeptPage, 'tags'>, here: Pick<Here, 'hidden'> | undefined): boolean {
  return here === undefined || !personsOf(tags).some((id) => here.hidden.has(id));
}

/** The kept form of a rendered page. */
export function toKept(
  { body, scripts }: Pick<Rendered, 'body' | 'scripts'>,
  tags: ReadonlySet<string>,
  framers?: string | undefined,
): KeptPage {
  const packed = pack(body);
  const { head, piece, tail } = packed;
  const pieceBytes = piece?.zstd.length ?? 0;
  const etag = `W/"${createHash('sha1')
    .update(head)
    .update(piece?.zstd ?? '')
    .update(tail)
    .digest('base64url')
    .slice(0, 20)}"`;
  return {
    body: packed,
    compressed: new Map(),
    etag,
    tags,
    framers,
    scripts,
    // The shared piece is nobody's; the same page in another encoding, which has it inside, is counted whether or not it is made.
    bytes: 2 * (head.length + tail.length) + pieceBytes + ENTRY_BYTES,
    headers: new Map(),
  };
}

function headersFor(
  page: KeptPage,
  reply: FastifyReply,
  encoding: Encoding | 'none',
  length: number,
): OutgoingHttpHeaders {
  const known = page.headers.get(encoding);
  if (known) return known;
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(reply.getHeaders())) headers[name] = value;
  const policy = headers['content-security-policy'];
  if (typeof policy === 'string')
    headers['content-security-policy'] = framedBy(withoutScript(policy, page.scripts), page.framers);
  Object.assign(headers, { 'cache-control': 'private, no-cache', vary: 'accept-encoding, cookie', etag: page.etag });
  if (encoding !== 'none')
    Object.assign(headers, { 'content-type': 'text/html; charset=utf-8', 'content-length': length });
  if (encoding !== 'none' && encoding !== 'identity') headers['content-encoding'] = encoding;
  page.headers.set(encoding, headers);
  return headers;
}

/** Measured on our pages: 4 is a tenth larger, 6 a hundredth smaller for a fifth more work. */
const QUALITY = 5;

function encoded(page: KeptPage, encoding: Encoding): readonly Buffer[] {
  const { head, piece, tail } = page.body;
  if (encoding === 'zstd') return piece ? [head, piece.zstd, tail] : [head, tail];
  const known = page.compressed.get(encoding);
  if (known) return [known];
  const made = compress(unpack(page.body), encoding, QUALITY);
  // Hardly anybody wants it as it is.
  if (encoding !== 'identity') page.compressed.set(encoding, ownBytes(made));
  return [made];
}

/** Answers from memory, past everything that would only copy it. */
export async function sendKept(request: FastifyRequest, reply: FastifyReply, page: KeptPage): Promise<void> {
  const { raw } = reply;
  if (request.headers['if-none-match'] === page.etag) {
    reply.hijack();
    raw.writeHead(304, headersFor(page, reply, 'none', 0));
    raw.end();
    return;
  }
  const encoding = chooseEncoding(request.headers);
  const parts = encoded(page, encoding);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  reply.hijack();
  raw.writeHead(200, headersFor(page, reply, encoding, length));
  if (request.method !== 'HEAD') for (const part of parts) raw.write(part);
  raw.end();
}
