/** The subject reveals nothing to others who see the screen. */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { Mail } from '../../../platform/mail.ts';

export function createDecisionMail(
  to: { username: string; email: string },
  publicUrl: string,
  message: string,
  reasons: readonly string[],
): Mail {
  const paragraphs = [message, ...reasons].join('\n\n');
  return {
    to: to.email,
    subject: 'About your Stagedoor account',
    text: `Hello ${to.username},

${paragraphs}

${publicUrl}${PATHS.creatorVerification}
`,
  };
}
