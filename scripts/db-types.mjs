/** `npm run db:types`: writes the row types from the migrated database. `-- --verify` only compares them. */
import { join } from 'node:path';
import { replaceProcess, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await runMain(async (args) => {
  await enterRuntime();
  await replaceProcess(process.execPath, [join(root, 'server', 'testing', 'generate-types.ts'), ...args]);
});
