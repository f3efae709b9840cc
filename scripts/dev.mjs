/** `npm run dev`: the server with hot reload of the pages. It restarts when server or contract files change. */
import { join } from 'node:path';
import { become, command, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await command(async (args) => {
  await enterRuntime();
  const watched = ['server', 'contract'].map((folder) => `--watch-path=${join(root, folder)}`);
  const env = { ...process.env, STAGEDOOR_DEV: '1' };
  await become(
    process.execPath,
    [...watched, '--watch-preserve-output', join(root, 'server', 'main.ts'), ...args],
    env,
  );
});
