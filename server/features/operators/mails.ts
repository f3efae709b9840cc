/** What somebody is mailed when what they may do at the desk has changed. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { OperatorRole } from '@stagedoor/contract/operator-rights.ts';
import type { Mail } from '../../kernel/mail.ts';

type To = { username: string; email: string };

/** `roles` are those that they have now; none: they are no operator any more. */
export function rolesMail(to: To, publicUrl: string, roles: readonly OperatorRole[]): Mail {
  const words =
    roles.length === 0
      ? 'you work at the desk of Stagedoor no more: an owner took your roles back, and you are logged out everywhere.'
      : `an owner of Stagedoor gave you these roles at the desk: ${roles.join(', ')}.

Your account is for the desk from now on. You are logged out everywhere; log in again, and set up two-factor log-in if it is
not on yet: without it nothing at the desk opens.

${publicUrl}${PATHS.adminAccount}`;
  return {
    to: to.email,
    subject: roles.length === 0 ? 'You work at the desk no more' : 'Your roles at the desk',
    text: `Hello ${to.username},

${words}

If you did not expect this, write to us.
`,
  };
}
