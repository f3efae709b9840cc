/** `npm run bench`: measures the product against limits and peers. Arguments after `--` select benches. */
import { join } from 'node:path';
import { become, command, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';
import { ensureWebBuild } from './lib/web-build.mjs';

await command(async (args) => {
  await enterRuntime();
  await ensureWebBuild();
  await become(process.execPath, [join(root, 'bench', 'run.ts'), ...args]);
});
