/** The build's files: hashed ones for ever, the few with plain names for an hour. Compressed twins are sent as they lie. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** What never changes under its name needs nothing to be compared by, and is not asked for in parts. */
const FOREVER = { maxAge: '365d', immutable: true, etag: false, lastModified: false, acceptRanges: false } as const;
const COMPRESSED = /\.(?:br|gz)$/;

/** Of the security headers files need one; the rest would weigh more than many of them do. */
const PAGE_HEADERS = [
  'content-security-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'x-frame-options',
  'referrer-policy',
];

/** Serves the browser's part of the build. `scope` is this function's own: its hooks hold for files alone. */
export async function serveAssets(scope: FastifyInstance, clientDir: string): Promise<void> {
  scope.addHook('onRequest', async (_request, reply) => {
    for (const name of PAGE_HEADERS) reply.removeHeader(name);
  });
  for (const folder of ['assets', 'fonts']) {
    await scope.register(fastifyStatic, {
      root: path.join(clientDir, folder),
      prefix: `/${folder}/`,
      preCompressed: true,
      decorateReply: false,
      index: false,
      ...FOREVER,
    });
  }
  const entries = await readdir(clientDir, { withFileTypes: true });
  await scope.register(async (plain) => {
    await plain.register(fastifyStatic, {
      root: clientDir,
      serve: false,
      preCompressed: true,
      maxAge: '1h',
      cacheControl: true,
    });
    for (const entry of entries) {
      if (entry.isFile() && !COMPRESSED.test(entry.name))
        plain.get(`/${entry.name}`, (_request, reply) => reply.sendFile(entry.name));
    }
  });
}
