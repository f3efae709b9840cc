import type { IncomingHttpHeaders } from 'node:http';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity';

/** Parses `accept-encoding` (RFC 9110, 12.5.3) into the codings whose weight is not 0. */
function parseAcceptedCodings(accept: string): Set<string> {
  const codings = accept.split(',').map((part) => part.split(';').map((word) => word.trim().toLowerCase()));
  return new Set(
    codings.flatMap(([name, ...rest]) => (name && !rest.some((q) => /^q=0(?:\.0*)?$/.test(q)) ? [name] : [])),
  );
}

export function chooseEncoding<Supported extends Exclude<Encoding, 'identity'>>(
  headers: IncomingHttpHeaders,
  supported: readonly Supported[],
): Supported | 'identity' {
  const accept = headers['accept-encoding'];
  if (typeof accept !== 'string') return 'identity';
  const codings = parseAcceptedCodings(accept);
  return supported.find((encoding) => codings.has(encoding)) ?? 'identity';
}

export function toZstd(bytes: Buffer, level: number): Buffer {
  return zstdCompressSync(bytes, {
    pledgedSrcSize: bytes.length,
    params: { [constants.ZSTD_c_compressionLevel]: level },
  });
}

/** Smaller responses fit into two packets, so compression saves nothing. */
const MIN_CHARACTERS = 2_048;

/** Fast levels on this thread, because handing a single response to another costs more. */
const COMPRESSORS = {
  zstd: (bytes: Buffer) => toZstd(bytes, 1),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 1 }),
} as const;

export function sendJson(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
  const encoding = text.length < MIN_CHARACTERS ? 'identity' : chooseEncoding(request.headers, ['zstd', 'gzip']);
  if (encoding === 'identity') return reply.send(text);
  return reply.header('content-encoding', encoding).send(COMPRESSORS[encoding](Buffer.from(text)));
}
