import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { cacheFolder, capture, fileHash, hashFolders, Refusal, readText, root, tool } from './project.mjs';

const stampFile = join(root, 'web', 'build', '.stamp');

function sourceStamp() {
  return `${hashFolders(['web', 'contract'])} ${fileHash(join(root, 'package-lock.json'))}`;
}

/** Makes `web/build/` match the sources. The stamp is written last, so that an interrupted build is repeated. */
export async function ensureWebBuild(say = console.log) {
  const stamp = sourceStamp();
  if (readText(stampFile) === stamp) return { built: false };
  mkdirSync(cacheFolder, { recursive: true });
  return withLock(
    join(cacheFolder, 'web-build.lock'),
    () => say('Waiting for another build of the pages…'),
    async () => {
      if (readText(stampFile) === stamp) return { built: false };
      say('Building the pages…');
      rmSync(stampFile, { force: true });
      const env = { ...process.env, NODE_ENV: 'production' };
      const { code, output } = await capture(process.execPath, [tool('@react-router/dev', 'bin.cjs'), 'build'], {
        cwd: join(root, 'web'),
        env,
      });
      if (code !== 0) throw new Refusal(`The pages could not be built.\n${output.trim()}`);
      writeFileSync(stampFile, stamp);
      return { built: true };
    },
  );
}
