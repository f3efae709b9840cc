/** The comparison ignores the tag after a plus sign, and dots for providers that ignore them. */

const DOTLESS = new Set(['gmail.com', 'googlemail.com']);

function toMailbox(email: string): string {
  const [name = '', host = ''] = email.toLowerCase().split('@');
  const untagged = name.replace(/\+.*$/, '');
  return DOTLESS.has(host) ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${host}`;
}

export function isSameMailbox(a: string, b: string): boolean {
  return toMailbox(a) === toMailbox(b);
}
