/** `npm run db:types`: writes the row types from the migrated database. `-- --verify` only compares them. */
import { join } from 'node:path';
import { become, command, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await command(async (args) => {
  await enterRuntime();
  await become(process.execPath, [join(root, 'server', 'testing', 'generate-types.ts'), ...args]);
});
