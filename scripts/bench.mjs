/** `npm run bench`: measurements beside a limit or a peer; arguments after `--` choose which. */
import { join } from 'node:path';
import { become, command, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';
import { ensureWebBuild } from './lib/web-build.mjs';

await command(async (args) => {
  await enterRuntime();
  await ensureWebBuild();
  await become(process.execPath, [join(root, 'bench', 'run.ts'), ...args]);
});
