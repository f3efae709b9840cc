/** The pages' build: React Router, Tailwind, and compressed twins of every text asset, so that serving them costs nothing. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const TEXT = /\.(?:js|css|svg|json|txt|webmanifest)$/;
const MIN_BYTES = 512;

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < MIN_BYTES) return;
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  await writeFile(`${file}.br`, await toBrotli(bytes, options));
  await writeFile(`${file}.gz`, await toGzip(bytes, { level: 9 }));
}

/** Leaves `name.br` and `name.gz` beside every text file of the browser's build. */
function precompress(): Plugin {
  return {
    name: 'stagedoor:precompress',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: async ({ dir }) => {
        if (!dir) return;
        const files = await readdir(dir, { recursive: true, withFileTypes: true });
        await Promise.all(
          files
            .filter((file) => file.isFile() && TEXT.test(file.name))
            .map((file) => compressFile(path.join(file.parentPath, file.name))),
        );
      },
    },
  };
}

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter(), precompress()],
  // One self-contained server bundle: it starts faster, and React is the production one whatever NODE_ENV the server has.
  ...(command === 'build' && { ssr: { noExternal: true as const } }),
  build: { target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
}));
