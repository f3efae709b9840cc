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
  /** Measures only the variants of {@link GUARDED_VARIANTS}, with little data. */
  readonly isGuard: boolean;
};

/** What `--guard` measures, by bench: the variants of the ten guarded figures. */
export const GUARDED_VARIANTS: Readonly<Record<string, readonly string[]>> = {
  pages: ['raw', 'homeTree', 'profileTree', 'postTree', 'homeCached', 'profileCached', 'home', 'profile', 'post'],
  feed: ['thin', 'feed', 'page'],
  money: ['thin', 'http', 'unlock'],
  chat: [],
};

/** The names of the ten figures that `--guard` compares with those of the last saved run. */
export const GUARDED_FIGURES: ReadonlySet<string> = new Set([
  'home, cached ÷ raw node:http',
  'profile, cached ÷ raw node:http',
  'home, not cached ÷ its components, bare',
  'profile, not cached ÷ its components, bare',
  'post, not cached ÷ its components, bare',
  'feed of 20 posts, 50 follows ÷ thin stored timeline',
  'feed page, rendered for the fan ÷ its data',
  'tip over HTTP ÷ thin tip',
  'unlock over HTTP ÷ thin tip',
  'a text, from sending to receiving ÷ POST, INSERT, emit, p50',
]);

export const USAGE = `npm run bench [-- names… flags…]

  names           money, subscriptions, ledger, business, check, pages, public, themes, shares, feed, search, chat, calls, notifications, media, anonymous, moderation, bytes, startup, alternatives; all of them when none is given
  --guard         measures ten figures in ten minutes, and fails if one is 15 % worse than the last saved guard run
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
  const isGuard = flag('--guard');
  let seconds = isQuick ? 1 : isGuard ? 3 : 4;
  let rounds = isQuick ? 1 : isGuard ? 5 : 3;
  const names: string[] = [];
  for (const argument of args) {
    if (argument.startsWith('--seconds=')) seconds = parseNumber(argument, 1, 60);
    else if (argument.startsWith('--rounds=')) rounds = parseNumber(argument, 1, 9);
    else if (knownNames.includes(argument)) names.push(argument);
    else if (!['--quick', '--guard', '--deep', '--save'].includes(argument))
      throw new Error(`Unknown: ${argument}\n\n${USAGE}`);
  }
  return {
    names: names.length > 0 ? names : isGuard ? Object.keys(GUARDED_VARIANTS) : knownNames,
    seconds,
    rounds,
    isQuick,
    isDeep: flag('--deep'),
    isSaved: flag('--save'),
    isGuard,
  };
}
