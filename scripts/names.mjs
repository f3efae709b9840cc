/** `npm run names`: lists new names of verified creators and approves or declines them. */
import { join } from 'node:path';
import { become, command, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await command(async (args) => {
  await enterRuntime();
  await become(process.execPath, [join(root, 'server', 'features', 'profiles', 'names-cli.ts'), ...args]);
});
