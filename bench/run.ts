/** `npm run bench`: runs the named benches or all, prints the table of each, and saves the results with --save. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { business } from './business.ts';
import { bytes } from './bytes.ts';
import { calls } from './calls.ts';
import { chat } from './chat.ts';
import { check } from './check.ts';
import { feed } from './feed.ts';
import { found } from './found.ts';
import { killChildren } from './harness/child.ts';
import { type BenchPostgres, startBenchPostgres } from './harness/database.ts';
import { readOptions, USAGE } from './harness/options.ts';
import { print, type Result, save, show } from './harness/report.ts';
import type { Bench } from './harness/stage.ts';
import { ledger } from './ledger.ts';
import { media } from './media.ts';
import { money } from './money.ts';
import { notifications } from './notifications.ts';
import { pages } from './pages.ts';
import { publicPages } from './public.ts';
import { shares } from './shares.ts';
import { start } from './start.ts';
import { strangers } from './strangers.ts';
import { themes } from './themes.ts';
import { trust } from './trust.ts';

const BENCHES: Readonly<Record<string, Bench>> = {
  money,
  ledger,
  business,
  check,
  pages,
  public: publicPages,
  themes,
  shares,
  feed,
  found,
  chat,
  calls,
  notifications,
  media,
  strangers,
  trust,
  bytes,
  start,
};
/** A run that takes longer has hung. */
const LIMIT_MS = 60 * 60_000;

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(USAGE);
  process.exit(0);
}
if (args.includes('--show')) {
  show();
  process.exit(0);
}

let postgres: BenchPostgres | undefined;
let folder: string | undefined;
let isEnding = false;

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  killChildren();
  await postgres?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(1));
setTimeout(() => {
  console.error('The bench took too long and is ended.');
  void end(1);
}, LIMIT_MS).unref();

try {
  const options = readOptions(args, Object.keys(BENCHES));
  folder = await mkdtemp(join(tmpdir(), 'stagedoor-bench-'));
  postgres = await startBenchPostgres();
  const stage = {
    options,
    postgres,
    folder,
    tell: (text: string) => console.log(`  ${Math.round(performance.now() / 1000)} s  ${text}`),
  };
  const results: Result[] = [];
  for (const name of options.names) {
    console.log(`\n${name} …`);
    const result = await BENCHES[name]?.(stage);
    if (!result) continue;
    print(result);
    results.push(result);
  }
  if (options.isQuick) console.log('\n--quick: these figures only show that the benches work.');
  if (options.isSaved) save(results, options);
  await end(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await end(1);
}
