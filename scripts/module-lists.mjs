/** Generates the module lists of server and web from their folders. `npm test -- --update` also runs it. */
import { runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await runMain(async () => {
  await enterRuntime();
  const { writeModuleLists } = await import('./lib/module-lists.ts');
  writeModuleLists();
  return 0;
});
