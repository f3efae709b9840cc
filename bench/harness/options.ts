/** The command line options. All values are bounded, so that no option makes a bench run endlessly. */

export type Options = {
  readonly names: readonly string[];
  /** Seconds of each measurement. */
  readonly seconds: number;
  readonly rounds: number;
  /** Uses small worlds and short measurements. It checks that a bench works, and its results are not meaningful. */
  readonly isQuick: boolean;
  /** Also measures the largest worlds (10⁷ ledger entries). */
  readonly isDeep: boolean;
  readonly isSaved: boolean;
};

export const USAGE = `npm run bench [-- names… flags…]

  names           money, ledger, business, check, pages, public, feed, chat, calls, media, strangers, bytes, start; all of them when none is given
  --quick         small worlds, one round of one second: only shows that it works
  --deep          growth and checks of the ledger up to 10⁷ entries as well
  --seconds=N     seconds a measurement, 1 to 60 (default 4)
  --rounds=N      rounds, 1 to 9 (default 3)
  --save          keep the figures in bench/results.json and show them in the tables
  --show          measure nothing; write the tables from what is kept`;

function numberOf(argument: string, minimum: number, maximum: number): number {
  const value = Number(argument.slice(argument.indexOf('=') + 1));
  if (!Number.isInteger(value) || value < minimum || value > maximum)
    throw new Error(`${argument}: a whole number from ${minimum} to ${maximum} is needed`);
  return value;
}

/** Parses the arguments. Throws with a readable message when one is unknown. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const flag = (name: string) => args.includes(name);
  const isQuick = flag('--quick');
  let seconds = isQuick ? 1 : 4;
  let rounds = isQuick ? 1 : 3;
  const names: string[] = [];
  for (const argument of args) {
    if (argument.startsWith('--seconds=')) seconds = numberOf(argument, 1, 60);
    else if (argument.startsWith('--rounds=')) rounds = numberOf(argument, 1, 9);
    else if (known.includes(argument)) names.push(argument);
    else if (!['--quick', '--deep', '--save'].includes(argument)) throw new Error(`Unknown: ${argument}\n\n${USAGE}`);
  }
  return {
    names: names.length > 0 ? names : known,
    seconds,
    rounds,
    isQuick,
    isDeep: flag('--deep'),
    isSaved: flag('--save'),
  };
}
