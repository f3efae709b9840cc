/**
 * `npm test`: runs all checks and tests, also on a fresh machine. Its last line is `N passed, N failed`, where each
 * test and each other step counts as one. `-- path/to/file` runs some test files, `-- --only=types,vitest` some steps,
 * `-- --update` writes the generated files, and `--profile` prints the time of each file. See docs/testing.md.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

function parse(args) {
  try {
    const options = {
      only: { type: 'string' },
      name: { type: 'string', short: 't' },
      seed: { type: 'string' },
      profile: { type: 'boolean' },
      update: { type: 'boolean' },
    };
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

async function update() {
  const { updateGenerated } = await import('./lib/generated.ts');
  const { changed, problems } = await updateGenerated();
  for (const problem of problems) console.log(`\n${problem}`);
  console.log(changed.length > 0 ? `\nWritten: ${changed.join(', ')}` : '\nAll generated files were up to date.');
  return problems.length > 0 ? 1 : 0;
}

await runMain(async (args) => {
  await enterRuntime();
  const { stripLineNumber } = await import('./lib/needs.ts');
  const { runSteps } = await import('./lib/run-steps.ts');
  const { clearResults, formatSummary, summarize } = await import('./lib/summary.ts');
  const { selectFiles, selectSteps, testSteps } = await import('./lib/steps.ts');
  const { values, positionals } = parse(args);
  const only = values.only?.split(',') ?? [];
  const names = testSteps.map(({ name }) => name);
  const isMissing = (path) => !existsSync(join(root, stripLineNumber(path)));
  const unknown = only.find((name) => !names.includes(name)) ?? positionals.find(isMissing);
  if (unknown !== undefined)
    throw new CommandError(`Unknown: ${unknown}. Name files, or steps with --only=…: ${names.join(', ')}.`);
  clearResults();
  if (values.update) return update();

  const profile = values.profile ? await import('./lib/profile.ts') : undefined;
  if (profile) Object.assign(process.env, profile.startProfile());
  const steps =
    positionals.length > 0
      ? selectFiles(positionals, { name: values.name, seed: values.seed })
      : selectSteps(only.length === 0 && profile ? ['build', 'vitest', 'journeys'] : only);
  const summary = summarize(await runSteps(steps));
  if (profile) console.log(`\n${profile.finishProfile()}`);
  console.log(formatSummary(summary));
  console.log(`\n${summary.passed} passed, ${summary.failed} failed`);
  return summary.failed > 0 || summary.passed === 0 ? 1 : 0;
});
