/** `npm run bench`: runs the named benches or all, prints the table of each, and saves the results with --save. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureAlternatives } from './alternatives.ts';
import { measureAnonymousLoad } from './anonymous.ts';
import { measureBusiness } from './business.ts';
import { measureBytes } from './bytes.ts';
import { measureCalls } from './calls.ts';
import { measureChat } from './chat.ts';
import { measureLedgerCheck } from './check.ts';
import { measureFeed } from './feed.ts';
import { killChildren } from './harness/child.ts';
import type { BenchFunction } from './harness/context.ts';
import { type BenchPostgres, startBenchPostgres } from './harness/database.ts';
import { finishGuard } from './harness/guard.ts';
import { parseOptions, USAGE } from './harness/options.ts';
import { type BenchResult, printResult, saveResults, updateTables } from './harness/report.ts';
import { measureLedger } from './ledger.ts';
import { measureMedia } from './media.ts';
import { measureModeration } from './moderation.ts';
import { measureMoney } from './money.ts';
import { measureNotifications } from './notifications.ts';
import { measureOgImages } from './og-images.ts';
import { measurePages } from './pages.ts';
import { measurePublicPages } from './public.ts';
import { measureSearch } from './search.ts';
import { measureStartup } from './startup.ts';
import { measureSubscriptions } from './subscriptions.ts';
import { measureThemes } from './themes.ts';

const BENCHES: Readonly<Record<string, BenchFunction>> = {
  money: measureMoney,
  subscriptions: measureSubscriptions,
  ledger: measureLedger,
  business: measureBusiness,
  check: measureLedgerCheck,
  pages: measurePages,
  public: measurePublicPages,
  themes: measureThemes,
  shares: measureOgImages,
  feed: measureFeed,
  search: measureSearch,
  chat: measureChat,
  calls: measureCalls,
  notifications: measureNotifications,
  media: measureMedia,
  anonymous: measureAnonymousLoad,
  moderation: measureModeration,
  bytes: measureBytes,
  startup: measureStartup,
  alternatives: measureAlternatives,
};
/** A run that takes longer has hung. */
const LIMIT_MS = 60 * 60_000;

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(USAGE);
  process.exit(0);
}
if (args.includes('--show')) {
  updateTables();
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
  console.error('The bench took too long and was stopped.');
  void end(1);
}, LIMIT_MS).unref();

try {
  const options = parseOptions(args, Object.keys(BENCHES));
  folder = await mkdtemp(join(tmpdir(), 'stagedoor-bench-'));
  postgres = await startBenchPostgres();
  const context = {
    options,
    postgres,
    folder,
    logProgress: (text: string) => console.log(`  ${Math.round(performance.now() / 1000)} s  ${text}`),
  };
  const results: BenchResult[] = [];
  for (const name of options.names) {
    console.log(`\n${name} …`);
    const result = await BENCHES[name]?.(context);
    if (!result) continue;
    if (!options.isGuard) printResult(result);
    results.push(result);
  }
  if (options.isGuard) await end(finishGuard(results, options));
  if (options.isQuick) console.log('\n--quick: these figures only show that the benches work.');
  if (options.isSaved) saveResults(results, options);
  await end(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await end(1);
}
