import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Config } from '@react-router/dev/config';
import * as z from 'zod/mini';
import { removeAdminRoutes, toAdminTableUrl, toLeanTable } from './app/route-table.ts';
import { buildWorkers } from './workers/build.ts';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const TEXT = /\.(?:js|css|svg|json|txt|webmanifest)$/;
const MIN_BYTES = 512;

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < MIN_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    // Brotli distance parameters. Of those tried, they give the smallest script, by about 0.1 %.
    [constants.BROTLI_PARAM_NPOSTFIX]: 1,
    [constants.BROTLI_PARAM_NDIRECT]: 12,
  };
  await writeFile(`${file}.br`, await toBrotli(bytes, { params }));
  await writeFile(`${file}.gz`, await toGzip(bytes, { level: 9 }));
}

const routeTable = z.looseObject({
  entry: z.looseObject({ module: z.string(), imports: z.array(z.string()) }),
  routes: z.record(
    z.string(),
    z.looseObject({ imports: z.optional(z.array(z.string())), parentId: z.optional(z.string()) }),
  ),
});

/**
 * Writes the reduced route table and the separate one of the admin console. Empty and false properties are left out.
 */
async function shrinkRouteTable(folder: string): Promise<void> {
  const name = (await readdir(path.join(folder, 'assets'))).find((file) => /^manifest-[\w-]+\.js$/.test(file));
  if (name === undefined) throw new Error('the build of the pages has no table of them');
  const file = path.join(folder, 'assets', name);
  const text = await readFile(file, 'utf8');
  const [begin, end] = [text.indexOf('{'), text.lastIndexOf('}') + 1];
  const table = toLeanTable(z.parse(routeTable, JSON.parse(text.slice(begin, end))));
  const isEmpty = (value: unknown) => value === false || (Array.isArray(value) && value.length === 0);
  const write = (to: string, content: object) => {
    const json = JSON.stringify(content, (_key, value: unknown) => (isEmpty(value) ? undefined : value));
    return writeFile(to, text.slice(0, begin) + json + text.slice(end));
  };
  await write(file, removeAdminRoutes(table));
  await write(toAdminTableUrl(file), table);
}

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  // Loaders are small and share the chunks of their page. Separate files would only add requests.
  splitRouteModules: false,
  // The first manifest contains every route: there are few, and the file stays in the browser's cache.
  routeDiscovery: { mode: 'initial' },
  buildEnd: async ({ reactRouterConfig }) => {
    const folder = path.join(reactRouterConfig.buildDirectory, 'client');
    await shrinkRouteTable(folder);
    await buildWorkers(folder);
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const texts = files.filter((file) => file.isFile() && TEXT.test(file.name));
    await Promise.all(texts.map((file) => compressFile(path.join(file.parentPath, file.name))));
  },
} satisfies Config;
