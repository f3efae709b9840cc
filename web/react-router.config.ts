/** Server-rendered pages in one build that the server mounts, with compressed twins of every text asset, so that serving them costs nothing. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Config } from '@react-router/dev/config';
import { buildWorkers } from './workers/build.ts';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const TEXT = /\.(?:js|css|svg|json|txt|webmanifest)$/;
const MIN_BYTES = 512;

/** Leaves `name.br` and `name.gz` beside a file that is worth it. */
async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < MIN_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${file}.br`, await toBrotli(bytes, { params }));
  await writeFile(`${file}.gz`, await toGzip(bytes, { level: 9 }));
}

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  // Loaders are small and share their page's chunks: a file of their own would only be one more to wait for.
  splitRouteModules: false,
  // Every route is in the first manifest: there are few, and it is one file that stays in the browser's cache.
  routeDiscovery: { mode: 'initial' },
  buildEnd: async ({ reactRouterConfig }) => {
    const folder = path.join(reactRouterConfig.buildDirectory, 'client');
    await buildWorkers(folder);
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const texts = files.filter((file) => file.isFile() && TEXT.test(file.name));
    await Promise.all(texts.map((file) => compressFile(path.join(file.parentPath, file.name))));
  },
} satisfies Config;
