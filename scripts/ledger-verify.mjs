/** `npm run ledger:verify -- journal.json`: verifies that an exported journal is in the signed log. */
import { join } from 'node:path';
import { replaceProcess, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await runMain(async (args) => {
  await enterRuntime();
  await replaceProcess(process.execPath, [
    join(root, 'server', 'modules', 'trust', 'transparency-log', 'verify-cli.ts'),
    ...args,
  ]);
});
