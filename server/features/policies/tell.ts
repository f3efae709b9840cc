/**
 * Notices ignore notification settings. One page of users a minute avoids bursts. Users who signed up after the version
 * began have agreed to it.
 */

import { POLICY_KEYS, type PolicyKey } from '@stagedoor/contract/policies.ts';
import { policyPath } from '@stagedoor/contract/public-addresses.ts';
import type { Context } from '../../kernel/context.ts';
import type { Statement, Transaction } from '../../kernel/db.ts';
import type { Mail } from '../../kernel/mail.ts';
import './events.ts';
import { versionAt } from './policies.ts';
import { POLICIES } from './texts/index.ts';
import type { Policy, Version } from './texts/text.ts';

export const PEOPLE_A_PAGE = 200;

const BEGIN: Statement = {
  name: 'policies-telling-begin',
  text: 'insert into policy_tellings (policy, version, begun_at) values ($1, $2, $3) on conflict do nothing',
};
/** The statement skips a run that another process holds. */
const CLAIM: Statement = {
  name: 'policies-telling-claim',
  text: `select last_id as "lastId" from policy_tellings where policy = $1 and version = $2 and done_at is null for update skip locked`,
};
const NEXT: Statement = {
  name: 'policies-telling-next',
  text: `select id, username, email, type, email_verified_at is not null as "hasMail" from users
    where id > $1 and created_at < $2::date and type <> 'operator' and not is_blocked order by id limit $3`,
};
const WENT_ON: Statement = {
  name: 'policies-telling-on',
  text: `update policy_tellings set last_id = $3, told_count = told_count + $4, done_at = $5 where policy = $1 and version = $2`,
};

type Person = { id: string; username: string; email: string; type: string; hasMail: boolean };
type Telling = { key: PolicyKey; policy: Policy; version: Version };

function mailTo(ctx: Context, { username, email }: Person, { key, policy, version }: Telling): Mail {
  const what = version.asks
    ? 'You’ll be asked to accept it next time you log in. Nothing changes for you until then.'
    : 'No action needed.';
  return {
    to: email,
    subject: `Updated: ${policy.title}`,
    text: `Hello ${username},

We’ve updated our policies. Effective ${version.version}: ${policy.title}.

What changed: ${version.changes}

${what}

Read it: ${ctx.config.publicUrl}${policyPath(key, version.version)}

We send this to all users once per update.
`,
  };
}

const isMeant = ({ key }: Telling, { type }: Person) => key !== 'creator-agreement' || type === 'creator';

/** Returns whether there are more. */
async function tellPage(ctx: Context, tx: Transaction, telling: Telling, size: number): Promise<boolean> {
  const { key, policy, version } = telling;
  const of = [key, version.version];
  const [claimed] = await tx.run<{ lastId: string }>(CLAIM, of);
  if (!claimed) return false;
  const people = await tx.run<Person>(NEXT, [claimed.lastId, version.version, size]);
  const told = people.filter((person) => isMeant(telling, person));
  if (told.length > 0)
    await tx.emit('policy.changed', {
      userIds: told.map(({ id }) => id),
      ...{ policy: key, version: version.version, title: policy.title, changes: version.changes },
    });
  for (const person of told) if (person.hasMail) await ctx.mailer.send(tx, mailTo(ctx, person, telling));
  const isLast = people.length < size;
  const values = [...of, people.at(-1)?.id ?? claimed.lastId, told.length, isLast ? ctx.clock.now() : null];
  await tx.run(WENT_ON, values);
  return !isLast;
}

/** Returns whether users remain. */
export async function tellOfVersions(
  ctx: Context,
  policies: Readonly<Record<PolicyKey, Policy>> = POLICIES,
  size = PEOPLE_A_PAGE,
): Promise<boolean> {
  let hasMore = false;
  for (const key of POLICY_KEYS) {
    const policy = policies[key];
    const version = versionAt(policy, ctx.clock.now());
    // The first version existed before any user.
    if (version === policy.versions[0]) continue;
    await ctx.db.run(BEGIN, [key, version.version, ctx.clock.now()]);
    hasMore = (await ctx.db.transaction((tx) => tellPage(ctx, tx, { key, policy, version }, size))) || hasMore;
  }
  return hasMore;
}
