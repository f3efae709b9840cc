import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { SECOND_APPROVER_DAYS } from '@stagedoor/contract/admin/staff.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { Context } from '../../../platform/context.ts';
import type { EventMap } from '../../../platform/events/event-types.ts';
import type { Mail } from '../../../platform/mail.ts';
import { findUser, findUserSummaries, listOperators } from '../accounts/index.ts';
import './events.ts';

type MailRecipient = { username: string; email: string };

function createRolesMail(to: MailRecipient, publicUrl: string, roles: readonly string[]): Mail {
  const intro =
    roles.length === 0
      ? 'Your Stagedoor staff access was removed by an owner, and you were logged out everywhere.'
      : `An owner of Stagedoor gave you these staff roles: ${roles.join(', ')}.

Your account is now a staff-only account. You were logged out everywhere. Log in again, and set up two-factor authentication
if it isn’t on yet. You need it to open the console.

${publicUrl}${PATHS.adminAccount}`;
  return {
    to: to.email,
    subject: roles.length === 0 ? 'Your staff access was removed' : 'Your staff roles changed',
    text: `Hello ${to.username},

${intro}

If you didn’t expect this, contact us.
`,
  };
}

type OperatorChange = EventMap['operators.changed'];

/** Owners notice a change that none of them made. */
function createStaffChangeMail(
  to: MailRecipient,
  publicUrl: string,
  changedUsername: string,
  changedBy: string,
  { before, after, reason }: OperatorChange,
): Mail {
  const roles = (names: readonly string[]) => names.join(', ') || 'none';
  return {
    to: to.email,
    subject: `Staff access changed: @${changedUsername}`,
    text: `Hello ${to.username},

${changedBy} changed the staff roles of @${changedUsername} on Stagedoor.

Before: ${roles(before)}
Now: ${roles(after)}
Reason: ${reason}
${after.length === 0 ? '' : `\nFor decisions that need two people, @${changedUsername} counts as one of them in ${SECOND_APPROVER_DAYS} days. If this is wrong, remove the roles before then.\n`}
${publicUrl}${ADMIN_PATHS.adminStaff}
`,
  };
}

export async function mailRoleChange(ctx: Context, change: OperatorChange): Promise<void> {
  const { userId, byId, after } = change;
  const [user, usersById, operators] = await Promise.all([
    findUser(ctx.db, userId),
    findUserSummaries(ctx.db, byId === null ? [] : [byId]),
    listOperators(ctx, ctx.db),
  ]);
  if (!user) return;
  const changedBy = byId === null ? 'A CLI command on the server' : `@${usersById.get(byId)?.username ?? byId}`;
  const owners = operators.filter(({ id, roles, isBlocked }) => id !== userId && !isBlocked && roles.includes('owner'));
  const accounts = await Promise.all(owners.map(({ id }) => findUser(ctx.db, id)));
  await ctx.db.transaction(async (tx) => {
    await ctx.mailer.send(tx, createRolesMail(user, ctx.config.publicUrl, after));
    for (const owner of accounts)
      if (owner)
        await ctx.mailer.send(tx, createStaffChangeMail(owner, ctx.config.publicUrl, user.username, changedBy, change));
  });
}
