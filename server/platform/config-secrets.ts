/** The secrets of production: which ones it requires, and whether they can be guessed. */

const REQUIRED = [
  'SESSION_SECRET',
  'LEDGER_LOG_SIGNING_KEY',
  'VAPID_PRIVATE_KEY',
  'CCBILL_SALT',
  'CCBILL_WEBHOOK_SECRET',
] as const;

/** In bits, below those of random values that openssl generates in the shortest accepted length. */
const MIN_ENTROPY_BITS: Readonly<Record<string, number>> = {
  SESSION_SECRET: 80,
  LEDGER_LOG_SIGNING_KEY: 80,
  CCBILL_WEBHOOK_SECRET: 40,
  METRICS_TOKEN: 40,
  TURN_SECRET: 40,
};

/**
 * A rough estimate for secrets that were typed instead of generated. A character counts unless it repeats a pair of
 * characters from before or continues a sequence such as `abc` or `aaa`.
 */
export function estimateEntropyBits(secret: string): number {
  const pairs = new Set<string>();
  let surprises = 0;
  for (const [at, character] of [...secret].entries()) {
    const pair = secret.slice(Math.max(0, at - 1), at + 1);
    const isStep = at > 1 && character.charCodeAt(0) - secret.charCodeAt(at - 1) === getStep(secret, at - 1);
    if (!pairs.has(pair) && !isStep) surprises += 1;
    pairs.add(pair);
  }
  return surprises * Math.log2(Math.max(1, new Set(secret).size));
}

const getStep = (text: string, at: number): number => text.charCodeAt(at) - text.charCodeAt(at - 1);

/** Lists each missing and each guessable secret, without its value. `invalid` names variables that are refused anyway. */
export function listSecretProblems(
  env: Readonly<Record<string, string | undefined>>,
  invalid: ReadonlySet<string>,
): string[] {
  const missing = REQUIRED.filter((variable) => !env[variable] && !invalid.has(variable));
  const guessable = Object.entries(MIN_ENTROPY_BITS).filter(([variable, minBits]) => {
    const value = env[variable];
    return value && !invalid.has(variable) && estimateEntropyBits(value) < minBits;
  });
  return [
    ...missing.map((variable) => `${variable}: required in production (npm run configure writes new secrets)`),
    ...guessable.map(([variable]) => `${variable}: too easy to guess, use a random value (openssl rand -hex 32)`),
  ];
}
