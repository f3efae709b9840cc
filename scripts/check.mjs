/** `npm run check`: quick checks before a commit (types, lint, boundaries, and tests near the changes). */
import { runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await runMain(async () => {
  await enterRuntime();
  const { runSteps } = await import('./lib/run-steps.ts');
  const { checkSteps } = await import('./lib/steps.ts');
  const { clearResults } = await import('./lib/summary.ts');
  clearResults();
  const results = await runSteps(checkSteps, { printsProblems: true });
  for (const { failures = [] } of results) for (const failure of failures) console.log(`\n${failure}`);
  const failed = results.filter((result) => result.failed > 0);
  if (failed.length > 0) console.log(`\nFailed: ${failed.map(({ title }) => title).join(', ')}.`);
  return failed.length > 0 ? 1 : 0;
});
