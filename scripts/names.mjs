/** `npm run names`: lists new names of verified creators and approves or declines them. */
import { join } from 'node:path';
import { loadEnvFile } from './lib/env-file.mjs';
import { replaceProcess, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await runMain(async (args) => {
  await enterRuntime();
  loadEnvFile();
  await replaceProcess(process.execPath, [
    join(root, 'server', 'modules', 'content', 'profiles', 'names-cli.ts'),
    ...args,
  ]);
});
