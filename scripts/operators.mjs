/** `npm run operators`: lists operators and assigns roles. It creates the first owner. */
import { join } from 'node:path';
import { become, command, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await command(async (args) => {
  await enterRuntime();
  await become(process.execPath, [join(root, 'server', 'features', 'operators', 'operators-cli.ts'), ...args]);
});
