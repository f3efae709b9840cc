import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatMinute } from '@stagedoor/contract/shared/times.ts';
import type { Mail } from '../../../platform/mail.ts';

export function createDeletionMail(to: { username: string; email: string }, publicUrl: string, dueAt: Date): Mail {
  return {
    to: to.email,
    subject: 'Your account will be deleted',
    text: `Hello ${to.username},

As you requested, your Stagedoor account will be deleted on ${formatMinute(dueAt)}. Until then it’s hidden.

Changed your mind or didn’t request this? Log in before then to keep your account:

${publicUrl}${PATHS.login}
`,
  };
}

/** `claims` are sentences about what the user can claim. */
export function createUnclaimedMail(
  to: { username: string; email: string },
  publicUrl: string,
  { claims, until }: { claims: readonly string[]; until: Date },
): Mail {
  return {
    to: to.email,
    subject: 'Action needed before your account is deleted',
    text: `Hello ${to.username},

Your Stagedoor account is due to be deleted, but you still have:

${claims.map((claim) => `- ${claim}`).join('\n')}

Log in to withdraw it, then delete your account again. After ${formatMinute(until)} your account is deleted and any remaining funds are forfeited.

${publicUrl}${PATHS.login}
`,
  };
}
