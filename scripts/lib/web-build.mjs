import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import {
  CommandError,
  cacheFolder,
  captureOutput,
  getToolPath,
  hashFile,
  hashFolders,
  readText,
  root,
} from './project.mjs';

const stampFile = join(root, 'web', 'build', '.stamp');

function createSourceStamp() {
  return `${hashFolders(['web', 'contract'])} ${hashFile(join(root, 'package-lock.json'))}`;
}

/** Makes `web/build/` match the sources. The stamp is written last, so that an interrupted build is repeated. */
export async function ensureWebBuild(print = console.log) {
  const stamp = createSourceStamp();
  if (readText(stampFile) === stamp) return { built: false };
  mkdirSync(cacheFolder, { recursive: true });
  return withLock(
    join(cacheFolder, 'web-build.lock'),
    () => print('Waiting for another build of the pages…'),
    async () => {
      if (readText(stampFile) === stamp) return { built: false };
      print('Building the pages…');
      rmSync(stampFile, { force: true });
      const env = { ...process.env, NODE_ENV: 'production' };
      const { code, output } = await captureOutput(
        process.execPath,
        [getToolPath('@react-router/dev', 'bin.cjs'), 'build'],
        {
          cwd: join(root, 'web'),
          env,
        },
      );
      if (code !== 0) throw new CommandError(`The pages could not be built.\n${output.trim()}`);
      writeFileSync(stampFile, stamp);
      return { built: true };
    },
  );
}
