/** Figures and how they are shown: a table in the terminal, JSON beside this folder, a table for the README. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import type { Options } from './options.ts';
import type { Ratio } from './rounds.ts';

export type Aim = { readonly atLeast: number } | { readonly atMost: number };

export type Figure = {
  readonly name: string;
  /** Ours and what it is held against, with units, for people. */
  readonly ours: string;
  readonly limit: string;
  /** Ours ÷ limit. */
  readonly ratio: Ratio;
  /** The same ratio by CPU an operation instead of the rate: what else the machine does moves it less. */
  readonly byCpu?: Ratio;
  /** Undefined: shown for what it tells, without an aim. */
  readonly aim?: Aim;
};

export type Result = {
  readonly bench: string;
  /** What it is about and how to read it. */
  readonly reading: string;
  readonly figures: readonly Figure[];
  /** Facts beside the figures, a line each. */
  readonly notes: readonly string[];
};

type Kept = Result & {
  readonly at: string;
  readonly machine: string;
  readonly seconds: number;
  readonly rounds: number;
};

const resultsFile = new URL('../results.json', import.meta.url);
const readmeFile = new URL('../../README.md', import.meta.url);
const MARKERS = ['<!-- bench -->', '<!-- /bench -->'] as const;

export function isMet({ aim, ratio }: Figure): boolean | undefined {
  if (!aim || Number.isNaN(ratio.value)) return aim ? false : undefined;
  // Two decimals are what is shown, and so what is judged.
  const shown = Math.round(ratio.value * 100) / 100;
  return 'atLeast' in aim ? shown >= aim.atLeast : shown <= aim.atMost;
}

export function aimText(aim: Aim | undefined): string {
  if (!aim) return '';
  return 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
}

export function ratioText({ value, low, high }: Ratio): string {
  return low === high ? value.toFixed(2) : `${value.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

const mark = (figure: Figure): string => ({ true: '✓', false: '✗', undefined: '' })[String(isMet(figure))] ?? '';

/** Columns as wide as their widest cell. */
function table(rows: readonly (readonly string[])[]): string {
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

/** Prints one bench: how to read it, its figures, its notes. */
export function print(result: Result): void {
  const rows = result.figures.map((figure) => [
    mark(figure),
    figure.name,
    figure.ours,
    figure.limit,
    ratioText(figure.ratio),
    figure.byCpu ? ratioText(figure.byCpu) : '',
    aimText(figure.aim),
  ]);
  const lines = [
    `\n${result.bench}`,
    result.reading,
    '',
    table([['', 'what', 'ours', 'limit', 'ours ÷ limit', 'by CPU', 'aim'], ...rows]),
  ];
  if (result.notes.length > 0) lines.push('', ...result.notes);
  console.log(lines.join('\n'));
}

function readKept(): Kept[] {
  return existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : [];
}

/** Keeps results in bench/results.json, each in place of the last of its bench, and shows them in the README. */
export function save(results: readonly Result[], { seconds, rounds }: Options): void {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? process.arch}, ${Math.round(totalmem() / 1e9)} GB, Node ${process.version}`;
  const at = new Date().toISOString();
  const kept = new Map(readKept().map((result) => [result.bench, result]));
  for (const result of results) kept.set(result.bench, { ...result, at, machine, seconds, rounds });
  const all = [...kept.values()];
  writeFileSync(resultsFile, `${JSON.stringify(all, undefined, 2)}\n`);
  const readme = readFileSync(readmeFile, 'utf8');
  const [start, end] = MARKERS;
  const from = readme.indexOf(start);
  const to = readme.indexOf(end);
  if (from < 0 || to < from) {
    console.log(`README.md has no ${start} … ${end}: its table stays as it is.`);
    return;
  }
  writeFileSync(readmeFile, `${readme.slice(0, from + start.length)}\n${markdown(all)}\n${readme.slice(to)}`);
}

/** The last figures that have an aim, as a Markdown table. */
export function markdown(results: readonly Kept[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const rows = results.flatMap((result) =>
    result.figures
      .filter(({ aim }) => aim !== undefined)
      .map((figure) =>
        [
          figure.name,
          figure.ours,
          figure.limit,
          figure.ratio.value.toFixed(2),
          `${aimText(figure.aim)} ${mark(figure)}`,
        ]
          .map(cell)
          .join(' | '),
      ),
  );
  const last =
    results
      .map(({ at }) => at)
      .sort()
      .at(-1)
      ?.slice(0, 10) ?? '';
  return [
    '| what | ours | limit | ours ÷ limit | aim |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
    `Measured ${last} on ${results.at(-1)?.machine ?? ''}; how to read it: [bench/README.md](bench/README.md).`,
  ].join('\n');
}
