/** `npm run ledger:history -- ACCOUNT`: every transaction of a ledger account, with the balance after it. */
import { join } from 'node:path';
import { loadEnvFile } from './lib/env-file.mjs';
import { replaceProcess, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await runMain(async (args) => {
  await enterRuntime();
  loadEnvFile();
  await replaceProcess(process.execPath, [
    join(root, 'server', 'modules', 'ledger', 'ledger', 'history-cli.ts'),
    ...args,
  ]);
});
