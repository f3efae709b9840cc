/** Users trust a name that suggests staff when it asks for a password, so only operators may have one. */

const WORDS = [
  'support',
  'help',
  'help desk',
  'customer service',
  'customer care',
  'admin',
  'administrator',
  'moderator',
];
const BEFORE = ['the', 'official'];
const AFTER = 'team';

export const STAFF_NAMES: readonly string[] = WORDS.flatMap((word) =>
  ['', ...BEFORE.map((before) => `${before} `)].flatMap((before) => [`${before}${word}`, `${before}${word} ${AFTER}`]),
);

/** Normalizes look-alike characters. */
function reading(username: string): string {
  const letters = username.toLowerCase().replace(/[^a-z0-9]/g, '');
  return letters.replace(/[l1]/g, 'i').replaceAll('0', 'o').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

const PRODUCT = reading('stagedoor');
const oneOf = (words: readonly string[]) => `(?:${words.map(reading).join('|')})`;
const STAFF = new RegExp(`^${oneOf(BEFORE)}?${oneOf(WORDS)}+${oneOf([AFTER])}?$`);

export function readsLikeStaff(username: string): boolean {
  return reading(username).includes(PRODUCT) || STAFF.test(reading(username.replace(/[._]?[0-9]+$/, '')));
}
