/**
 * Measures variants in turns and compares them within each turn, so that a machine that grows slower or faster in the
 * middle of a run moves both sides of a ratio.
 */

export type Sample = {
  /** Operations a second. */
  readonly rate: number;
  /** CPU of everything that serves (node and PostgreSQL, never the load generator), in ms an operation. */
  readonly cpuMs: number;
  /** The part of it that node needs. */
  readonly nodeMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly count: number;
};

export type Samples<K extends string> = Record<K, Sample[]>;

/** The middle value; of an even number, the mean of the two in the middle. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Long enough for V8 to compile what is hot and for connections to have their plans. */
const WARM_SECONDS = 2;

/** Runs every variant once a round, after each was warmed up, in an order that turns with the round. */
export async function interleave<K extends string>(
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
  variants: Readonly<Record<K, (seconds: number) => Promise<Sample>>>,
  tell: (text: string) => void,
  warmSeconds = WARM_SECONDS,
): Promise<Samples<K>> {
  // Object.keys forgets the key's type, which the parameter states.
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

/** The median of ratios with the lowest and the highest. */
export function spread(ratios: readonly number[]): Ratio {
  return { value: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
}

/** The median, lowest and highest of the rounds' ratios. */
export function ratioOf(ours: readonly Sample[], limit: readonly Sample[], pick: (sample: Sample) => number): Ratio {
  const ratios = ours.flatMap((sample, round) => {
    const other = limit[round];
    return other ? [pick(sample) / pick(other)] : [];
  });
  return spread(ratios);
}

/** A plain number as a ratio without spread. */
export function exactly(value: number): Ratio {
  return { value, low: value, high: value };
}

export function medianOf(samples: readonly Sample[], pick: (sample: Sample) => number): number {
  return median(samples.map(pick));
}

export const byRate = (sample: Sample): number => sample.rate;
/** Operations for a ms of CPU: like a rate, more is better, and a busy machine changes it less. */
export const byCpu = (sample: Sample): number => 1 / sample.cpuMs;
export const cpuOf = (sample: Sample): number => sample.cpuMs;

/** Rate and CPU of a variant, for people. */
export function shown(samples: readonly Sample[]): string {
  return `${medianOf(samples, byRate).toFixed(0)}/s, ${medianOf(samples, cpuOf).toFixed(2)} ms`;
}
