/**
 * `npm test`: everything that proves the product, on a fresh machine too. Its last line is `N passed, N failed`: each
 * test counts, and each other step counts as one. `-- --only=types,vitest` runs chosen steps.
 */
import { command, Refusal } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await command(async (args) => {
  await enterRuntime();
  const { runSteps, testSteps } = await import('./lib/steps.mjs');
  const { ensurePrograms } = await import('./lib/system.mjs');
  const names = testSteps.map(({ name }) => name);
  const unknown = args.find((argument) => !argument.startsWith('--only='));
  const only = args.flatMap((argument) => argument.slice('--only='.length).split(','));
  const wrong = unknown ?? only.find((name) => !names.includes(name));
  if (wrong !== undefined) throw new Refusal(`Unknown: ${wrong}. Steps for --only=…: ${names.join(', ')}.`);

  const steps = testSteps.filter(({ name }) => only.length === 0 || only.includes(name));
  if (steps.some(({ programs }) => programs)) await ensurePrograms();
  const results = await runSteps(steps);

  const bad = results.filter(({ failed }) => failed > 0);
  if (bad.length > 0) console.log(`\nFailed: ${bad.map(({ title }) => title).join(', ')}.`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
});
