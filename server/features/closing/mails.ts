/** The mail that an account is to be closed, which says how to take that back. */
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
