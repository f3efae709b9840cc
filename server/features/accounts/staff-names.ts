/** What staff is called: whoever bears it is believed when they ask for a password. */

/** Names that nobody but operators bears. */
export const STAFF_NAMES: readonly string[] = [
  'support',
  'help',
  'help desk',
  'customer service',
  'customer care',
  'admin',
  'administrator',
  'moderator',
].flatMap((word) => ['', 'the ', 'official '].flatMap((before) => [`${before}${word}`, `${before}${word} team`]));

/** A username as it reads at a glance; of the letters that usernames may have. */
function reading(username: string): string {
  const letters = username.toLowerCase().replace(/[^a-z0-9]/g, '');
  return letters.replace(/[l1]/g, 'i').replaceAll('0', 'o').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

const PRODUCT = reading('stagedoor');
const READINGS = new Set(STAFF_NAMES.map(reading));

/** Whether a username reads as if the product itself had it. */
export function readsLikeStaff(username: string): boolean {
  return reading(username).includes(PRODUCT) || READINGS.has(reading(username.replace(/[._]?[0-9]+$/, '')));
}
