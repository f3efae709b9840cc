import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { SECOND_APPROVER_DAYS, STAFF_CODE_HOURS } from '@stagedoor/contract/admin/staff.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { Context } from '../../../platform/context.ts';
import type { EventMap } from '../../../platform/events/event-types.ts';
import type { Mail } from '../../../platform/mail.ts';
import { findUser, findUserSummaries, listOperators } from '../accounts/index.ts';
import './events.ts';

type MailRecipient = { username: string; email: string };

export function createInvitationMail(
  to: MailRecipient,
  publicUrl: string,
  roles: readonly string[],
  code: string,
): Mail {
  return {
    to: to.email,
    subject: 'You’re invited to the Stagedoor staff',
    isEssential: true,
    text: `Hello ${to.username},

An owner of Stagedoor gave you these staff roles: ${roles.join(', ')}.

Your account is now a staff-only account. You were logged out everywhere. Your roles work once two-factor authentication is
set up. Log in again and set it up with this code, even if it was on before:

${code}

${publicUrl}${PATHS.adminAccount}

The code works once, for ${STAFF_CODE_HOURS} hours. If you didn’t expect this, don’t give the code to anyone and contact us.
`,
  };
}

function createRolesMail(to: MailRecipient, publicUrl: string, roles: readonly string[]): Mail {
  const intro =
    roles.length === 0
      ? 'Your Stagedoor staff access was removed by an owner, and you were logged out everywhere.'
      : `You now have these staff roles at Stagedoor: ${roles.join(', ')}.

Your account is a staff-only account. You were logged out everywhere. Your roles work once two-factor authentication is set
up. If it isn’t on yet, you need the code of your invitation, or the one that was printed on the server.

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

function createActivationMail(
  to: MailRecipient,
  publicUrl: string,
  { username: changedUsername, roles }: { username: string; roles: readonly string[] },
): Mail {
  return {
    to: to.email,
    subject: `Staff roles are active: @${changedUsername}`,
    text: `Hello ${to.username},

@${changedUsername} set up two-factor authentication. These staff roles are active now: ${roles.join(', ')}.

If this is wrong, remove the roles.

${publicUrl}${ADMIN_PATHS.adminStaff}
`,
  };
}

/** Loads the accounts of all other owners who can log in. */
async function listOtherOwners(ctx: Context, userId: string): Promise<MailRecipient[]> {
  const operators = await listOperators(ctx, ctx.db);
  const owners = operators.filter(({ id, roles, isBlocked }) => id !== userId && !isBlocked && roles.includes('owner'));
  const accounts = await Promise.all(owners.map(({ id }) => findUser(ctx.db, id)));
  return accounts.filter((account) => account !== undefined);
}

/** Users who are not staff have no roles that could become active. */
export async function mailRoleActivation(ctx: Context, userId: string): Promise<void> {
  const [member] = await listOperators(ctx, ctx.db, userId);
  if (!member || member.roles.length === 0 || !member.hasSecondFactor) return;
  const owners = await listOtherOwners(ctx, userId);
  await ctx.db.transaction(async (tx) => {
    for (const owner of owners) await ctx.mailer.send(tx, createActivationMail(owner, ctx.config.publicUrl, member));
  });
}

export async function mailRoleChange(ctx: Context, change: OperatorChange): Promise<void> {
  const { userId, byId, before, after } = change;
  const [user, usersById, owners] = await Promise.all([
    findUser(ctx.db, userId),
    findUserSummaries(ctx.db, byId === null ? [] : [byId]),
    listOtherOwners(ctx, userId),
  ]);
  if (!user) return;
  const changedBy = byId === null ? 'A CLI command on the server' : `@${usersById.get(byId)?.username ?? byId}`;
  // An owner's invitation was mailed with its code.
  const isInvitation = byId !== null && before.length === 0;
  await ctx.db.transaction(async (tx) => {
    if (!isInvitation) await ctx.mailer.send(tx, createRolesMail(user, ctx.config.publicUrl, after));
    for (const owner of owners)
      await ctx.mailer.send(tx, createStaffChangeMail(owner, ctx.config.publicUrl, user.username, changedBy, change));
  });
}
