/** Where a login, a confirmed email address or a deposit leads. */
import { DESTINATION_LENGTH } from './limits.ts';

/**
 * Returns the destination if it is internal: an app path or an absolute http(s) address of our own origin. Other values
 * return undefined because they would be open redirects.
 */
export function parseDestination(
  value: string | null | undefined,
  origin: string,
): { path: string; isAbsolute: boolean } | undefined {
  if (!value || value.length > DESTINATION_LENGTH || /[\\\p{Cc}]/u.test(value)) return undefined;
  const isAbsolute = /^https?:\/\//i.test(value);
  if (!isAbsolute && (!value.startsWith('/') || value.startsWith('//'))) return undefined;
  try {
    const url = new URL(value, origin);
    // The parser accepts `/..//host` as internal, but the browser would resolve it to `//host`.
    if (url.origin !== origin || url.pathname.startsWith('//')) return undefined;
    return { path: url.pathname + url.search + url.hash, isAbsolute };
  } catch {
    return undefined;
  }
}
