/** The mail contains no link to the file, because reading it proves no identity. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import type { Mail } from '../../kernel/mail.ts';

export function readyMail(
  to: { username: string; email: string; type: string },
  publicUrl: string,
  expiresAt: Date,
): Mail {
  const page = to.type === 'creator' ? PATHS.creatorSettings : PATHS.fanProfile;
  return {
    to: to.email,
    subject: 'Your archive is ready',
    text: `Hello ${to.username},

everything that is yours at Stagedoor is ready to be downloaded, until ${minuteText(expiresAt)}:

${publicUrl}${page}#yours

We ask for your password before you get it. If you did not ask for it, change your password.
`,
  };
}
