/** The subject reveals nothing to others who see the screen. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Mail } from '../../kernel/mail.ts';

export function decisionMail(
  to: { username: string; email: string },
  publicUrl: string,
  words: string,
  reasons: readonly string[],
): Mail {
  const said = [words, ...reasons].join('\n\n');
  return {
    to: to.email,
    subject: 'About your Stagedoor account',
    text: `Hello ${to.username},

${said}

${publicUrl}${PATHS.creatorVerification}
`,
  };
}
