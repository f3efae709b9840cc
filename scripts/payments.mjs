/** `npm run payments`: lists payment events that need a decision and executes decisions. */
import { join } from 'node:path';
import { loadEnvFile } from './lib/env-file.mjs';
import { replaceProcess, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await runMain(async (args) => {
  await enterRuntime();
  loadEnvFile();
  await replaceProcess(process.execPath, [
    join(root, 'server', 'modules', 'admin', 'work-queue', 'payments-cli.ts'),
    ...args,
  ]);
});
