/** Which announcements somebody has closed on a device: a cookie that the page writes and the server reads. */

export const CLOSED_COOKIE = 'closed';
/** As many as fit a cookie with ease; the oldest go first. */
const KEPT = 30;
/** Of UUIDv7 the last part is chance alone. */
const tail = (id: string) => id.slice(-12);
const markOf = (userId: string, id: string) => `${tail(userId)}${tail(id)}`;
const marksIn = (cookie: string | undefined) => (cookie ?? '').split('.').filter((mark) => /^[0-9a-f]{24}$/.test(mark));

/** Whether this account closed it on this device. */
export function hasClosed(cookie: string | undefined, userId: string, id: string): boolean {
  return marksIn(cookie).includes(markOf(userId, id));
}

/** The cookie's value with one more. */
export function withClosed(cookie: string | undefined, userId: string, id: string): string {
  const mark = markOf(userId, id);
  return [...marksIn(cookie).filter((one) => one !== mark), mark].slice(-KEPT).join('.');
}
