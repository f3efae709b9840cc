/**
 * `npm run ledger:check`: verifies that the money in the configured database adds up and that no entry was rewritten.
 */
import { join } from 'node:path';
import { loadEnvFile } from './lib/env-file.mjs';
import { replaceProcess, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await runMain(async (args) => {
  await enterRuntime();
  loadEnvFile();
  await replaceProcess(process.execPath, [
    join(root, 'server', 'modules', 'trust', 'transparency-log', 'check-cli.ts'),
    ...args,
  ]);
});
