/** The comparison ignores the tag after a plus sign, and dots for providers that ignore them. */

const DOTLESS = new Set(['gmail.com', 'googlemail.com']);

function mailboxOf(email: string): string {
  const [name = '', host = ''] = email.toLowerCase().split('@');
  const bare = name.replace(/\+.*$/, '');
  return DOTLESS.has(host) ? `${bare.replaceAll('.', '')}@gmail.com` : `${bare}@${host}`;
}

export function isSameMailbox(a: string, b: string): boolean {
  return mailboxOf(a) === mailboxOf(b);
}
