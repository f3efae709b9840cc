/**
 * `npm test`: everything that proves the product, on a fresh machine too. Its last line is `N passed, N failed`: each
 * test counts, and each other step counts as one. `-- --only=types,vitest` runs chosen steps; `-- path/to/file`, with
 * `-t words` if wanted, runs the tests of some files, journeys or not, on pages built from what is there now.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { command, Refusal, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

function parse(args) {
  try {
    const options = { only: { type: 'string' }, name: { type: 'string', short: 't' } };
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error));
  }
}

await command(async (args) => {
  await enterRuntime();
  const { runSteps, stepsOf, testSteps } = await import('./lib/steps.mjs');
  const { ensurePrograms } = await import('./lib/system.mjs');
  const { values, positionals } = parse(args);
  const only = values.only?.split(',') ?? [];
  const names = testSteps.map(({ name }) => name);
  const wrong = only.find((name) => !names.includes(name)) ?? positionals.find((path) => !existsSync(join(root, path)));
  if (wrong !== undefined)
    throw new Refusal(`Unknown: ${wrong}. Name files, or steps with --only=…: ${names.join(', ')}.`);

  const steps =
    positionals.length > 0
      ? stepsOf(positionals, values.name)
      : testSteps.filter(({ name }) => only.length === 0 || only.includes(name));
  if (steps.some(({ programs }) => programs)) await ensurePrograms();
  const results = await runSteps(steps);

  const bad = results.filter(({ failed }) => failed > 0);
  if (bad.length > 0) console.log(`\nFailed: ${bad.map(({ title }) => title).join(', ')}.`);
  for (const { output, failures = [] } of bad)
    for (const said of failures.length > 0 ? failures : [output]) console.log(`\n${said}`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
});
