import { readdir } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const FOREVER = { maxAge: '365d', immutable: true, etag: false, lastModified: false, acceptRanges: false } as const;
const COMPRESSED = /\.(?:br|gz)$/;

/** Files need only one of the security headers. The others would be larger than many files. */
const PAGE_HEADERS = [
  'content-security-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'x-frame-options',
  'referrer-policy',
];

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
