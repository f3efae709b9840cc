/**
 * Measures variants alternately and compares them within each round, so that a machine that becomes slower or faster
 * during a run affects both sides of a ratio.
 */

import { type BenchOptions, GUARDED_VARIANTS } from './options.ts';

export type LoadSample = {
  readonly rate: number;
  /** CPU of all serving processes (Node and PostgreSQL, without the load generator), in ms per operation. */
  readonly cpuMs: number;
  readonly nodeMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly count: number;
};

export type Samples<K extends string> = Record<K, LoadSample[]>;

/** The median. For an even number of values it is the mean of the middle two, and for none it is NaN. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Long enough for V8 to compile the hot code and for connections to have their query plans. */
const WARM_SECONDS = 2;

const GUARDED_NAMES: ReadonlySet<string> = new Set(Object.values(GUARDED_VARIANTS).flat());

/**
 * Runs every variant once per round after a warm-up. The order rotates with each round. A guard run leaves out the
 * variants that it does not need, so that they have no samples.
 */
export async function interleave<K extends string>(
  { rounds, seconds, isGuard }: Pick<BenchOptions, 'rounds' | 'seconds' | 'isGuard'>,
  variants: Readonly<Record<K, (seconds: number) => Promise<LoadSample>>>,
  logProgress: (text: string) => void,
  warmSeconds = WARM_SECONDS,
): Promise<Samples<K>> {
  const allNames = Object.keys(variants) as K[];
  const names = isGuard ? allNames.filter((name) => GUARDED_NAMES.has(name)) : allNames;
  const samples = Object.fromEntries(allNames.map((name) => [name, [] as LoadSample[]])) as Samples<K>;
  for (const name of names) await variants[name](Math.min(seconds * 2, warmSeconds));
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < names.length; index += 1) {
      const name = names[(index + round) % names.length];
      if (name === undefined) continue;
      const sample = await variants[name](seconds);
      samples[name].push(sample);
      logProgress(
        `round ${round + 1}/${rounds} ${name}: ${sample.rate.toFixed(0)}/s, CPU ${sample.cpuMs.toFixed(3)} ms`,
      );
    }
  }
  return samples;
}

export type Ratio = { readonly value: number; readonly low: number; readonly high: number };

export function summarizeRatios(ratios: readonly number[]): Ratio {
  return { value: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
}

export function calculateRatio(
  ours: readonly LoadSample[],
  limit: readonly LoadSample[],
  pick: (sample: LoadSample) => number,
): Ratio {
  const ratios = ours.flatMap((sample, round) => {
    const other = limit[round];
    return other ? [pick(sample) / pick(other)] : [];
  });
  return summarizeRatios(ratios);
}

export function toRatio(value: number): Ratio {
  return { value, low: value, high: value };
}

export function calculateMedianBy(samples: readonly LoadSample[], pick: (sample: LoadSample) => number): number {
  return median(samples.map(pick));
}

export const getRate = (sample: LoadSample): number => sample.rate;
/** Operations per ms of CPU. As with the rate, higher is better, but other load on the machine affects it less. */
export const getCpuRate = (sample: LoadSample): number => 1 / sample.cpuMs;
export const getCpuMs = (sample: LoadSample): number => sample.cpuMs;

export function formatSamples(samples: readonly LoadSample[]): string {
  return `${calculateMedianBy(samples, getRate).toFixed(0)}/s, ${calculateMedianBy(samples, getCpuMs).toFixed(2)} ms`;
}
