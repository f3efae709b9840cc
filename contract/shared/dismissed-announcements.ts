/** Dismissed announcements, in a cookie that the page writes and the server reads. */

export const DISMISSED_COOKIE = 'dismissed';
/** Limits the size of the cookie. The oldest entries are dropped first. */
const MAX_ENTRIES = 30;
/** The last part of a UUIDv7 is random. */
const getRandomPart = (id: string) => id.slice(-12);
const toEntry = (userId: string, id: string) => `${getRandomPart(userId)}${getRandomPart(id)}`;
const parseEntries = (cookie: string | undefined) =>
  (cookie ?? '').split('.').filter((entry) => /^[0-9a-f]{24}$/.test(entry));

export function isDismissed(cookie: string | undefined, userId: string, id: string): boolean {
  return parseEntries(cookie).includes(toEntry(userId, id));
}

export function addDismissed(cookie: string | undefined, userId: string, id: string): string {
  const entry = toEntry(userId, id);
  return [...parseEntries(cookie).filter((existing) => existing !== entry), entry].slice(-MAX_ENTRIES).join('.');
}
