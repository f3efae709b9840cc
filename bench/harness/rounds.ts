/**
 * Measures variants alternately and compares them within each round, so that a machine that becomes slower or faster
 * during a run affects both sides of a ratio.
 */

export type Sample = {
  readonly rate: number;
  /** CPU of all serving processes (Node and PostgreSQL, without the load generator), in ms per operation. */
  readonly cpuMs: number;
  readonly nodeMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly count: number;
};

export type Samples<K extends string> = Record<K, Sample[]>;

/** The median. For an even number of values it is the mean of the middle two, and for none it is NaN. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Long enough for V8 to compile the hot code and for connections to have their query plans. */
const WARM_SECONDS = 2;

/** Runs every variant once per round after a warm-up. The order rotates with each round. */
export async function interleave<K extends string>(
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
  variants: Readonly<Record<K, (seconds: number) => Promise<Sample>>>,
  tell: (text: string) => void,
  warmSeconds = WARM_SECONDS,
): Promise<Samples<K>> {
  const names = Object.keys(variants) as K[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Samples<K>;
  for (const name of names) await variants[name](Math.min(seconds * 2, warmSeconds));
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < names.length; place += 1) {
      const name = names[(place + round) % names.length];
      if (name === undefined) continue;
      const sample = await variants[name](seconds);
      samples[name].push(sample);
      tell(`round ${round + 1}/${rounds} ${name}: ${sample.rate.toFixed(0)}/s, CPU ${sample.cpuMs.toFixed(3)} ms`);
    }
  }
  return samples;
}

export type Ratio = { readonly value: number; readonly low: number; readonly high: number };

export function spread(ratios: readonly number[]): Ratio {
  return { value: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
}

export function ratioOf(ours: readonly Sample[], limit: readonly Sample[], pick: (sample: Sample) => number): Ratio {
  const ratios = ours.flatMap((sample, round) => {
    const other = limit[round];
    return other ? [pick(sample) / pick(other)] : [];
  });
  return spread(ratios);
}

export function exactly(value: number): Ratio {
  return { value, low: value, high: value };
}

export function medianOf(samples: readonly Sample[], pick: (sample: Sample) => number): number {
  return median(samples.map(pick));
}

export const byRate = (sample: Sample): number => sample.rate;
/** Operations per ms of CPU. As with the rate, higher is better, but other load on the machine affects it less. */
export const byCpu = (sample: Sample): number => 1 / sample.cpuMs;
export const cpuOf = (sample: Sample): number => sample.cpuMs;

export function shown(samples: readonly Sample[]): string {
  return `${medianOf(samples, byRate).toFixed(0)}/s, ${medianOf(samples, cpuOf).toFixed(2)} ms`;
}
