/** `npm run ledger:verify -- journal.json`: verifies that an exported journal is in the signed log. */
import { join } from 'node:path';
import { become, command, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await command(async (args) => {
  await enterRuntime();
  await become(process.execPath, [join(root, 'server', 'features', 'transparency', 'verify-cli.ts'), ...args]);
});
