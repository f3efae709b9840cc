/** `npm run bench`: measures the product against limits and peers. Arguments after `--` select benches. */
import { join } from 'node:path';
import { replaceProcess, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';
import { ensureWebBuild } from './lib/web-build.mjs';

await runMain(async (args) => {
  await enterRuntime();
  await ensureWebBuild();
  await replaceProcess(process.execPath, [join(root, 'bench', 'run.ts'), ...args]);
});
