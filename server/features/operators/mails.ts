import { PATHS } from '@stagedoor/contract/addresses.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { SECOND_PERSON_DAYS } from '@stagedoor/contract/operators.ts';
import type { Context } from '../../kernel/context.ts';
import type { EventMap } from '../../kernel/events.ts';
import type { Mail } from '../../kernel/mail.ts';
import { findPeople, findUser, listOperators } from '../accounts/index.ts';
import './events.ts';

type To = { username: string; email: string };

function rolesMail(to: To, publicUrl: string, roles: readonly string[]): Mail {
  const words =
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

${words}

If you didn’t expect this, contact us.
`,
  };
}

type Change = EventMap['operators.changed'];

/** Owners notice a change that none of them made. */
function teamMail(to: To, publicUrl: string, who: string, by: string, { before, after, ground }: Change): Mail {
  const roles = (of: readonly string[]) => of.join(', ') || 'none';
  return {
    to: to.email,
    subject: `Staff access changed: @${who}`,
    text: `Hello ${to.username},

${by} changed the staff roles of @${who} on Stagedoor.

Before: ${roles(before)}
Now: ${roles(after)}
Reason: ${ground}
${after.length === 0 ? '' : `\nFor decisions that need two people, @${who} counts as one of them in ${SECOND_PERSON_DAYS} days. If this is wrong, remove the roles before then.\n`}
${publicUrl}${DESK_PATHS.adminTeam}
`,
  };
}

export async function tellOfRoles(ctx: Context, change: Change): Promise<void> {
  const { userId, byId, after } = change;
  const [person, people, team] = await Promise.all([
    findUser(ctx.db, userId),
    findPeople(ctx.db, byId === null ? [] : [byId]),
    listOperators(ctx, ctx.db),
  ]);
  if (!person) return;
  const by = byId === null ? 'A CLI command on the server' : `@${people.get(byId)?.username ?? byId}`;
  const owners = team.filter(({ id, roles, isBlocked }) => id !== userId && !isBlocked && roles.includes('owner'));
  const accounts = await Promise.all(owners.map(({ id }) => findUser(ctx.db, id)));
  await ctx.db.transaction(async (tx) => {
    await ctx.mailer.send(tx, rolesMail(person, ctx.config.publicUrl, after));
    for (const owner of accounts)
      if (owner) await ctx.mailer.send(tx, teamMail(owner, ctx.config.publicUrl, person.username, by, change));
  });
}
