/**
 * Runs Lighthouse with its mobile settings in a separate process. It throttles by itself, so the speed of the machine
 * matters little.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cli = fileURLToPath(import.meta.resolve('lighthouse/cli/index.js'));
const FLAGS =
  '--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
export const LIGHTHOUSE_CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

export type LighthouseAudit = {
  readonly scores: Readonly<Record<(typeof LIGHTHOUSE_CATEGORIES)[number], number>>;
  readonly lcpMs: number;
  readonly tbtMs: number;
  readonly cls: number;
  readonly faults: readonly string[];
};

type AuditDetail = {
  score: number | null;
  numericValue?: number;
  details?: { items?: { node?: { snippet?: string } }[] };
};

type LighthouseReport = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, AuditDetail | undefined>;
};

/**
 * Lighthouse sometimes misses the start of its own trace (NO_NAVSTART) and requests another run, so it is retried
 * twice.
 */
async function runCli(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    try {
      return (await run(process.execPath, args, { env, timeout: 180_000, maxBuffer: 64 * 1024 * 1024 })).stdout;
    } catch (error) {
      if (tries === 2 || !String(error).includes('NO_NAVSTART')) throw error;
    }
  }
}

export async function runAudit(url: string, chromium: string): Promise<LighthouseAudit> {
  const args = [cli, url, '--quiet', '--output=json', '--output-path=stdout', `--chrome-flags=${FLAGS}`];
  args.push(`--only-categories=${LIGHTHOUSE_CATEGORIES.join(',')}`);
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/tmp', CHROME_PATH: chromium };
  const report: LighthouseReport = JSON.parse(await runCli(args, env));
  const score = (id: string) => Math.round((report.categories[id]?.score ?? 0) * 100);
  const value = (id: string) => report.audits[id]?.numericValue ?? Number.NaN;
  const weighted = Object.values(report.categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0),
  );
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    lcpMs: value('largest-contentful-paint'),
    tbtMs: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    faults: weighted.flatMap(({ id }) => {
      const detail = report.audits[id];
      if (typeof detail?.score !== 'number' || detail.score >= 0.9) return [];
      const snippet = detail.details?.items?.[0]?.node?.snippet;
      return [snippet ? `${id} at ${snippet.slice(0, 200)}` : id];
    }),
  };
}
