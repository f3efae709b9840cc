/** The command line options. All values are bounded, so that no option makes a bench run endlessly. */

export type BenchOptions = {
  readonly names: readonly string[];
  /** Seconds of each measurement. */
  readonly seconds: number;
  readonly rounds: number;
  /** Uses little data and short measurements. It checks that a bench works, and its results are not meaningful. */
  readonly isQuick: boolean;
  /** Also measures ledgers of 10⁷ entries. */
  readonly isDeep: boolean;
  readonly isSaved: boolean;
};

export const USAGE = `npm run bench [-- names… flags…]

  names           money, ledger, business, check, pages, public, themes, shares, feed, search, chat, calls, notifications, media, anonymous, moderation, bytes, startup, alternatives; all of them when none is given
  --quick         little data, one round of one second: only shows that the benches work
  --deep          also measures ledgers of 10⁷ entries
  --seconds=N     seconds per measurement, 1 to 60 (default 4)
  --rounds=N      rounds, 1 to 9 (default 3)
  --save          saves the figures in bench/results.json and updates the tables
  --show          measures nothing; updates the tables from the saved figures`;

function parseNumber(argument: string, minimum: number, maximum: number): number {
  const value = Number(argument.slice(argument.indexOf('=') + 1));
  if (!Number.isInteger(value) || value < minimum || value > maximum)
    throw new Error(`${argument}: a whole number from ${minimum} to ${maximum} is needed`);
  return value;
}

/** Parses the arguments. Throws with a readable message when one is unknown. */
export function parseOptions(args: readonly string[], knownNames: readonly string[]): BenchOptions {
  const flag = (name: string) => args.includes(name);
  const isQuick = flag('--quick');
  let seconds = isQuick ? 1 : 4;
  let rounds = isQuick ? 1 : 3;
  const names: string[] = [];
  for (const argument of args) {
    if (argument.startsWith('--seconds=')) seconds = parseNumber(argument, 1, 60);
    else if (argument.startsWith('--rounds=')) rounds = parseNumber(argument, 1, 9);
    else if (knownNames.includes(argument)) names.push(argument);
    else if (!['--quick', '--deep', '--save'].includes(argument)) throw new Error(`Unknown: ${argument}\n\n${USAGE}`);
  }
  return {
    names: names.length > 0 ? names : knownNames,
    seconds,
    rounds,
    isQuick,
    isDeep: flag('--deep'),
    isSaved: flag('--save'),
  };
}
