import { PATHS } from '@stagedoor/contract/addresses.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import type { Mail } from '../../kernel/mail.ts';

export function closingMail(to: { username: string; email: string }, publicUrl: string, dueAt: Date): Mail {
  return {
    to: to.email,
    subject: 'Your account will be deleted',
    text: `Hello ${to.username},

As you requested, your Stagedoor account will be deleted on ${minuteText(dueAt)}. Until then it’s hidden.

Changed your mind or didn’t request this? Log in before then to keep your account:

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
    subject: 'Action needed before your account is deleted',
    text: `Hello ${to.username},

Your Stagedoor account is due to be deleted, but you still have:

${found.map((line) => `- ${line}`).join('\n')}

Log in to withdraw it, then delete your account again. After ${minuteText(until)} your account is deleted and any remaining funds are forfeited.

${publicUrl}${PATHS.login}
`,
  };
}
