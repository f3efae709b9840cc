/** `npm run check`: the quick look before a commit: types, lint, boundaries, and tests near what changed. */
import { command } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await command(async () => {
  await enterRuntime();
  const { checkSteps, runSteps } = await import('./lib/steps.mjs');
  const results = await runSteps(checkSteps);
  return results.some(({ failed }) => failed > 0) ? 1 : 0;
});
