/** `npm run payments`: what the payment processor told and a person has to decide on. */
import { join } from 'node:path';
import { become, command, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await command(async (args) => {
  await enterRuntime();
  await become(process.execPath, [join(root, 'server', 'features', 'payments', 'desk-cli.ts'), ...args]);
});
