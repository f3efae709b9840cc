import { PATHS } from '@stagedoor/contract/addresses.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import type { Mail } from '../../kernel/mail.ts';

export function closingMail(to: { username: string; email: string }, publicUrl: string, dueAt: Date): Mail {
  return {
    to: to.email,
    subject: 'Your account will be closed',
    text: `Hello ${to.username},

as you asked, your account at Stagedoor will be closed on ${minuteText(dueAt)}. Until then nobody sees it.

If you change your mind, or did not ask for it, log in before that: your account is back as it was.

${publicUrl}${PATHS.login}
`,
  };
}

/** `found` says in sentences what the user can claim. */
export function unclaimedMail(
  to: { username: string; email: string },
  publicUrl: string,
  { found, until }: { found: readonly string[]; until: Date },
): Mail {
  return {
    to: to.email,
    subject: 'Before your account is closed',
    text: `Hello ${to.username},

the days are over after which your account at Stagedoor is to be closed, and something is still yours:

${found.map((line) => `- ${line}`).join('\n')}

Log in, take it, and close your account again. It rests until ${minuteText(until)}; after that it is closed, and what is left is given up.

${publicUrl}${PATHS.login}
`,
  };
}
