/** The mail contains no link to the file, because reading it proves no identity. */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatMinute } from '@stagedoor/contract/shared/times.ts';
import type { Mail } from '../../../platform/mail.ts';

export function createExportReadyMail(
  to: { username: string; email: string; type: string },
  publicUrl: string,
  expiresAt: Date,
): Mail {
  const page = to.type === 'creator' ? PATHS.creatorSettings : PATHS.fanProfile;
  return {
    to: to.email,
    subject: 'Your data is ready to download',
    text: `Hello ${to.username},

Your Stagedoor data is ready. Download it by ${formatMinute(expiresAt)}:

${publicUrl}${page}#yours

You’ll need your password. If you didn’t request this, change your password.
`,
  };
}
