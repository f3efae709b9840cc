/**
 * `npm run flaky -- path/to/file`: repeats unit or end-to-end test files while busy processes load the machine, and
 * prints the pass rate of each test. `--times 20` and `--load 4` are the defaults. `-t text` selects tests. Fails
 * below 100 %.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

function parse(args) {
  const options = {
    times: { type: 'string', default: '20' },
    load: { type: 'string', default: '4' },
    name: { type: 'string', short: 't' },
  };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

function parseCount(flag, text, min) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < min) throw new CommandError(`--${flag} needs a whole number from ${min} on.`);
  return count;
}

await runMain(async (args) => {
  await enterRuntime();
  const { stripLineNumber } = await import('./lib/needs.ts');
  const { formatRates, repeatTests } = await import('./lib/repeat.ts');
  const { values, positionals } = parse(args);
  const unknown = positionals.find((path) => !existsSync(join(root, stripLineNumber(path))));
  if (positionals.length === 0 || unknown !== undefined)
    throw new CommandError(unknown === undefined ? 'Name the test files to repeat.' : `There is no ${unknown}.`);
  const times = parseCount('times', values.times, 1);
  const load = parseCount('load', values.load, 0);
  const rates = await repeatTests({ paths: positionals, name: values.name, times, load });
  console.log(`\n${formatRates(rates)}`);
  if (rates.length === 0) console.log('No tests ran.');
  return rates.length > 0 && rates.every(({ passed, runs }) => passed === runs) ? 0 : 1;
});
