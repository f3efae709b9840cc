import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { fontPreloads } from '../ui/fonts/preload.ts';
import { BUILD_TARGET } from '../vite/browser-targets.ts';

const here = import.meta.dirname;
const ENTRIES = {
  'app-worker': path.join(here, 'app-worker.ts'),
  'push-worker': path.join(here, 'push-worker.ts'),
  offline: path.join(here, '..', 'offline', 'offline.ts'),
};

/** The release of the pages: the name of the route manifest, which changes with any of their code. */
function getRelease(folder: string): string {
  const [, release] =
    readdirSync(path.join(folder, 'assets'))
      .map((name) => /^manifest-([\w-]+)\.js$/.exec(name))
      .find((match) => match !== null) ?? [];
  if (release === undefined) throw new Error('The build of the pages has no manifest.');
  return release;
}

function writePage(folder: string): void {
  const [display, body] = fontPreloads;
  const text = readFileSync(path.join(here, '..', 'offline', 'offline.html'), 'utf8');
  writeFileSync(path.join(folder, 'offline.html'), text.replace('%DISPLAY%', display).replace('%BODY%', body));
}

export async function buildWorkers(folder: string): Promise<void> {
  writePage(folder);
  const define = { RELEASE: JSON.stringify(getRelease(folder)), FONTS: JSON.stringify(fontPreloads) };
  for (const [name, input] of Object.entries(ENTRIES)) {
    await build({
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      define,
      build: {
        target: BUILD_TARGET,
        outDir: folder,
        emptyOutDir: false,
        rolldownOptions: { input, output: { format: 'iife', entryFileNames: `${name}.js` } },
      },
    });
  }
}
