/** Dismissed announcements, in a cookie that the page writes and the server reads. */

export const CLOSED_COOKIE = 'closed';
/** Limits the size of the cookie. The oldest entries are dropped first. */
const KEPT = 30;
/** The last part of a UUIDv7 is random. */
const tail = (id: string) => id.slice(-12);
const markOf = (userId: string, id: string) => `${tail(userId)}${tail(id)}`;
const marksIn = (cookie: string | undefined) => (cookie ?? '').split('.').filter((mark) => /^[0-9a-f]{24}$/.test(mark));

export function hasClosed(cookie: string | undefined, userId: string, id: string): boolean {
  return marksIn(cookie).includes(markOf(userId, id));
}

export function withClosed(cookie: string | undefined, userId: string, id: string): string {
  const mark = markOf(userId, id);
  return [...marksIn(cookie).filter((one) => one !== mark), mark].slice(-KEPT).join('.');
}
