/** `npm run ledger:history -- ACCOUNT`: every transaction of a ledger account, with the balance after it. */
import { join } from 'node:path';
import { become, command, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await command(async (args) => {
  await enterRuntime();
  await become(process.execPath, [join(root, 'server', 'features', 'ledger', 'history-cli.ts'), ...args]);
});
