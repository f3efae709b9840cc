/** Users give their password to a name that suggests staff, so only operators may have one. */

/** They suggest staff as a word of a longer name, too. */
export const STAFF_TITLES = [
  'admin',
  'admins',
  'administrator',
  'administrators',
  'moderator',
  'moderators',
  'sysadmin',
];
/** As STAFF_TITLES, but only in usernames, because display names such as "Emotional Support Dog" suggest nothing. */
const STAFF_USERNAME_PARTS = [...STAFF_TITLES, 'support', 'staff', 'helpdesk'];
const STAFF_TERMS = [
  ...STAFF_TITLES,
  ...['support', 'help', 'help desk', 'customer service', 'customer care', 'customer support'],
  ...['official', 'staff', 'owner', 'operator', 'moderation', 'management', 'system', 'verification'],
  ...['security', 'safety', 'trust and safety', 'trust safety', 'compliance', 'abuse', 'copyright'],
  ...['billing', 'payments', 'payouts', 'refunds', 'finance', 'accounts'],
  // Mailboxes of the operators of a site (RFC 2142).
  ...['postmaster', 'hostmaster', 'webmaster', 'no reply', 'mailer daemon'],
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

const NORMALIZED_PARTS = new Set(STAFF_USERNAME_PARTS.map(normalizeName));
/** Such as `sysadmin` and `demoadmin`. No ordinary name ends so. */
const STAFF_ENDING = new RegExp(`${toAlternatives(['admin', 'administrator', 'moderator'])}$`);

export function isStaffLikeName(username: string): boolean {
  const withoutNumber = username.replace(/[._]?[0-9]+$/, '');
  const parts = username.split(/[._]/).flatMap((part) => [part, part.replace(/[0-9]+$/, '')]);
  return (
    normalizeName(username).includes(NORMALIZED_PRODUCT) ||
    STAFF_PATTERN.test(normalizeName(withoutNumber)) ||
    parts.some((part) => NORMALIZED_PARTS.has(normalizeName(part)) || STAFF_ENDING.test(normalizeName(part)))
  );
}
