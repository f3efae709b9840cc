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

type Change = EventMap['operators.changed'];

/** Owners notice a change that none of them made. */
function teamMail(to: To, publicUrl: string, who: string, by: string, { before, after, ground }: Change): Mail {
  const roles = (of: readonly string[]) => of.join(', ') || 'none';
  return {
    to: to.email,
    subject: `Who works at the desk has changed: @${who}`,
    text: `Hello ${to.username},

${by} changed the roles of @${who} at the desk of Stagedoor.

Before: ${roles(before)}
Now: ${roles(after)}
Why: ${ground}
${after.length === 0 ? '' : `\nWhere two people decide on money, @${who} counts as one of them in ${SECOND_PERSON_DAYS} days. If this is not right, take the roles back before.\n`}
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
  const by = byId === null ? 'A command on the machine' : `@${people.get(byId)?.username ?? byId}`;
  const owners = team.filter(({ id, roles, isBlocked }) => id !== userId && !isBlocked && roles.includes('owner'));
  const accounts = await Promise.all(owners.map(({ id }) => findUser(ctx.db, id)));
  await ctx.db.transaction(async (tx) => {
    await ctx.mailer.send(tx, rolesMail(person, ctx.config.publicUrl, after));
    for (const owner of accounts)
      if (owner) await ctx.mailer.send(tx, teamMail(owner, ctx.config.publicUrl, person.username, by, change));
  });
}
