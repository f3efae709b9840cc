/** `npm run dev`: the server with hot reload of the pages. It restarts when server or contract files change. */
import { join } from 'node:path';
import { replaceProcess, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await runMain(async (args) => {
  await enterRuntime();
  const watched = ['server', 'contract'].map((folder) => `--watch-path=${join(root, folder)}`);
  const env = { ...process.env, STAGEDOOR_DEV: '1' };
  await replaceProcess(
    process.execPath,
    [...watched, '--watch-preserve-output', join(root, 'server', 'main.ts'), ...args],
    env,
  );
});
