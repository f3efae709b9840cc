/** `npm run operators`: lists operators and assigns roles. It creates the first owner. */
import { join } from 'node:path';
import { loadEnvFile } from './lib/env-file.mjs';
import { replaceProcess, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await runMain(async (args) => {
  await enterRuntime();
  loadEnvFile();
  await replaceProcess(process.execPath, [
    join(root, 'server', 'modules', 'identity', 'staff', 'operators-cli.ts'),
    ...args,
  ]);
});
