/**
 * `npm run ledger:check`: verifies that the money in the configured database adds up and that no entry was rewritten.
 */
import { join } from 'node:path';
import { become, command, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await command(async (args) => {
  await enterRuntime();
  await become(process.execPath, [join(root, 'server', 'features', 'transparency', 'check-cli.ts'), ...args]);
});
