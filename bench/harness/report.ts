/**
 * Formats results: a table in the terminal, JSON and the full table in bench/, and the most important results in the
 * README.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import type { BenchOptions } from './options.ts';
import type { Ratio } from './rounds.ts';

export type Aim = { readonly atLeast: number } | { readonly atMost: number };

export type Figure = {
  readonly name: string;
  readonly ours: string;
  readonly limit: string;
  readonly ratio: Ratio;
  /** The same ratio by CPU per operation instead of the rate. Other load on the machine affects it less. */
  readonly byCpu?: Ratio;
  readonly aim?: Aim;
};

export type BenchResult = {
  readonly bench: string;
  readonly reading: string;
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
};

type SavedResult = BenchResult & {
  readonly at: string;
  readonly machine: string;
  readonly seconds: number;
  readonly rounds: number;
};

const resultsFile = new URL('../results.json', import.meta.url);
const benchReadme = new URL('../README.md', import.meta.url);
const readme = new URL('../../README.md', import.meta.url);
const MARKERS = ['<!-- bench -->', '<!-- /bench -->'] as const;

const SUMMARY_FIGURES: ReadonlyMap<string, string> = new Map([
  ['home, cached ÷ raw node:http', ''],
  ['home, not cached ÷ its components, bare', 'a post of Ghost 40 ms, a topic of NodeBB 40 ms'],
  ['home, visitor: without pictures', 'Ghost 89 kB, NodeBB 624 kB of script, Patreon 13 MB'],
  ['home, visitor: script', 'Ghost 24 kB'],
  ['home, Lighthouse: performance', 'Ghost 100, NodeBB 50'],
  ['home, Lighthouse: LCP', 'Ghost 1.7 s, NodeBB 4.1 s'],
  ['feed of 20 posts, 50 follows ÷ thin stored timeline', 'Bluesky’s timeline 71 ms'],
  ['a text, from sending to receiving ÷ POST, INSERT, emit, p50', 'NodeBB 50 ms'],
  ['a broadcast is acknowledged: 100,000 ÷ 1,000 followers', 'NodeBB 2.2 s for 1,000'],
  ['tip over HTTP ÷ thin tip', ''],
  ['time until 204 MB of H.264 play ÷ bare passthrough', ''],
  ['warm start until ready, database included', 'Ghost 4 s, NodeBB 3.9 s'],
  ['memory of the server after load', 'Ghost 350–390 MB, NodeBB 400 MB'],
]);

export function isMet({ aim, ratio }: Figure): boolean | undefined {
  if (!aim || Number.isNaN(ratio.value)) return aim ? false : undefined;
  // The target is checked against the value rounded to two decimals, as it is shown.
  const shown = Math.round(ratio.value * 100) / 100;
  return 'atLeast' in aim ? shown >= aim.atLeast : shown <= aim.atMost;
}

export function formatAim(aim: Aim | undefined): string {
  if (!aim) return '';
  return 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
}

export function formatRatioRange({ value, low, high }: Ratio): string {
  return low === high ? value.toFixed(2) : `${value.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

const formatMark = (figure: Figure): string => ({ true: '✓', false: '✗', undefined: '' })[String(isMet(figure))] ?? '';

export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function printResult(result: BenchResult): void {
  const rows = result.figures.map((figure) => [
    formatMark(figure),
    figure.name,
    figure.ours,
    figure.limit,
    formatRatioRange(figure.ratio),
    figure.byCpu ? formatRatioRange(figure.byCpu) : '',
    formatAim(figure.aim),
  ]);
  const lines = [
    `\n${result.bench}`,
    result.reading,
    '',
    formatTable([['', 'what', 'ours', 'limit', 'ours ÷ limit', 'by CPU', 'aim'], ...rows]),
  ];
  if (result.notes.length > 0) lines.push('', ...result.notes);
  console.log(lines.join('\n'));
}

function readSavedResults(): SavedResult[] {
  return existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : [];
}

export function describeMachine(): string {
  return `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? process.arch}, ${Math.round(totalmem() / 1e9)} GB, Node ${process.version}`;
}

/**
 * Saves results in bench/results.json, where each replaces the last one of its bench, and updates the tables in
 * bench/README.md and the README.
 */
export function saveResults(results: readonly BenchResult[], { seconds, rounds }: BenchOptions): void {
  const machine = describeMachine();
  const at = new Date().toISOString();
  const saved = new Map(readSavedResults().map((result) => [result.bench, result]));
  for (const result of results) saved.set(result.bench, { ...result, at, machine, seconds, rounds });
  const all = [...saved.values()];
  writeFileSync(resultsFile, `${JSON.stringify(all, undefined, 2)}\n`);
  updateTables();
}

export function updateTables(): void {
  const all = readSavedResults();
  replaceTable(benchReadme, formatMarkdown(all));
  replaceTable(readme, formatSummary(all));
}

function replaceTable(file: URL, content: string): void {
  const text = readFileSync(file, 'utf8');
  const [start, end] = MARKERS;
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${file.pathname} has no ${start} … ${end}`);
  writeFileSync(file, `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`);
}

function formatSummary(results: readonly SavedResult[]): string {
  const figures = new Map(results.flatMap((result) => result.figures).map((figure) => [figure.name, figure]));
  const rows = [...SUMMARY_FIGURES].map(([name, peers]) => {
    const figure = figures.get(name);
    if (!figure) throw new Error(`no figure is named “${name}”`);
    return formatRow(figure, [peers]);
  });
  return ['| what | ours | limit | ours ÷ limit | aim | peers |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

function formatRow(figure: Figure, more: readonly string[] = []): string {
  const { name, ours, limit, ratio, aim } = figure;
  const aimCell = `${formatAim(aim)} ${formatMark(figure)}`;
  const cells = [name, ours, limit, ratio.value.toFixed(2), aimCell, ...more].map((text) =>
    text.replaceAll('|', '\\|'),
  );
  return `| ${cells.join(' | ')} |`;
}

function formatMarkdown(results: readonly SavedResult[]): string {
  const rows = results.flatMap(({ figures }) =>
    figures.filter(({ aim }) => aim !== undefined).map((one) => formatRow(one)),
  );
  const last = results.map(({ at }) => at.slice(0, 10)).sort();
  return [
    '| what | ours | limit | ours ÷ limit | aim |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    `Measured ${last.at(-1) ?? ''} on ${results.at(-1)?.machine ?? ''}.`,
  ].join('\n');
}
