/** Reads a cookie from a `Cookie` header or `document.cookie`. */
export function parseCookie(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) {
      try {
        return decodeURIComponent(part.slice(at + 1).trim());
      } catch {
        return undefined;
      }
    }
  }
  return undefined;
}

/** Returns a `Set-Cookie` value for the whole site. 0 `seconds` deletes the cookie. */
export function formatCookie(name: string, value: string, seconds: number, isSecure: boolean): string {
  return `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${seconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

export function readCookie(name: string): string | undefined {
  return parseCookie(document.cookie, name);
}

export function writeCookie(name: string, value: string, seconds: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store's own interface is not in every browser
  document.cookie = formatCookie(name, value, seconds, location.protocol === 'https:');
}
