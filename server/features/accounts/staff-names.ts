/** What staff is called: whoever bears it is believed when they ask for a password. */

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

/** Names that nobody but operators bears. */
export const STAFF_NAMES: readonly string[] = WORDS.flatMap((word) =>
  ['', ...BEFORE.map((before) => `${before} `)].flatMap((before) => [`${before}${word}`, `${before}${word} ${AFTER}`]),
);

/** A username as it reads at a glance; of the letters that usernames may have. */
function reading(username: string): string {
  const letters = username.toLowerCase().replace(/[^a-z0-9]/g, '');
  return letters.replace(/[l1]/g, 'i').replaceAll('0', 'o').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

const PRODUCT = reading('stagedoor');
const oneOf = (words: readonly string[]) => `(?:${words.map(reading).join('|')})`;
/** One word of staff, or several beside one another. */
const STAFF = new RegExp(`^${oneOf(BEFORE)}?${oneOf(WORDS)}+${oneOf([AFTER])}?$`);

/** Whether a username reads as if the product itself had it. */
export function readsLikeStaff(username: string): boolean {
  return reading(username).includes(PRODUCT) || STAFF.test(reading(username.replace(/[._]?[0-9]+$/, '')));
}
