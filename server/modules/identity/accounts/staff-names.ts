/** Users give their password to a name that suggests staff, so only operators may have one. */

const STAFF_TERMS = [
  'support',
  'help',
  'help desk',
  'customer service',
  'customer care',
  'admin',
  'administrator',
  'moderator',
];
const PREFIXES = ['the', 'official'];
const SUFFIX = 'team';

export const STAFF_NAMES: readonly string[] = STAFF_TERMS.flatMap((term) =>
  ['', ...PREFIXES.map((prefix) => `${prefix} `)].flatMap((prefix) => [
    `${prefix}${term}`,
    `${prefix}${term} ${SUFFIX}`,
  ]),
);

/** Normalizes look-alike characters. */
function normalizeName(username: string): string {
  const letters = username.toLowerCase().replace(/[^a-z0-9]/g, '');
  return letters.replace(/[l1]/g, 'i').replaceAll('0', 'o').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

const NORMALIZED_PRODUCT = normalizeName('stagedoor');
const toAlternatives = (terms: readonly string[]) => `(?:${terms.map(normalizeName).join('|')})`;
const STAFF_PATTERN = new RegExp(
  `^${toAlternatives(PREFIXES)}?${toAlternatives(STAFF_TERMS)}+${toAlternatives([SUFFIX])}?$`,
);

export function isStaffLikeName(username: string): boolean {
  return (
    normalizeName(username).includes(NORMALIZED_PRODUCT) ||
    STAFF_PATTERN.test(normalizeName(username.replace(/[._]?[0-9]+$/, '')))
  );
}
