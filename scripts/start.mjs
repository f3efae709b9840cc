/** `npm start`: installs, builds and prepares whatever is missing, then serves. Everything after a `--` goes to the server. */
import { join } from 'node:path';
import { become, cacheFolder, command, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';
import { ensureWebBuild } from './lib/web-build.mjs';

await command(async (args) => {
  await enterRuntime();
  await ensureWebBuild();
  const env = { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(cacheFolder, 'compile') };
  await become(process.execPath, [join(root, 'server', 'main.ts'), ...args], env);
});
