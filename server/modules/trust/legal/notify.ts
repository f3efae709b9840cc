/**
 * Notices ignore notification settings. One page of users a minute avoids bursts. Users who signed up after the version
 * began have agreed to it.
 */

import { policyPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { POLICY_KEYS, type PolicyKey } from '@stagedoor/contract/trust/legal.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';
import type { Mail } from '../../../platform/mail.ts';
import './events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { getVersionAt } from './policies.ts';
import { POLICIES } from './texts/index.ts';
import type { Policy, Version } from './texts/text.ts';
import * as texts from './texts.ts';

export const USERS_PER_BATCH = 200;

const START_RUN: SqlStatement = {
  name: 'legal-start-run',
  text: 'insert into policy_notice_runs (policy, version, started_at) values ($1, $2, $3) on conflict do nothing',
};
/** The statement skips a run that another process holds. */
const CLAIM_RUN: SqlStatement = {
  name: 'legal-claim-run',
  text: `select last_id as "lastId" from policy_notice_runs where policy = $1 and version = $2 and done_at is null for update skip locked`,
};
const LIST_NEXT: SqlStatement = {
  name: 'legal-list-next',
  text: `select id, username, email, type, email_verified_at is not null as "hasMail" from users
    where id > $1 and created_at < $2::date and type <> 'operator' and not is_blocked order by id limit $3`,
};
const SAVE_PROGRESS: SqlStatement = {
  name: 'legal-save-progress',
  text: `update policy_notice_runs set last_id = $3, notified_count = notified_count + $4, done_at = $5 where policy = $1 and version = $2`,
};

type Recipient = { id: string; username: string; email: string; type: string; hasMail: boolean };
type NoticeRun = { key: PolicyKey; policy: Policy; version: Version };

function createPolicyMail(ctx: Context, { username, email }: Recipient, { key, policy, version }: NoticeRun): Mail {
  const actionText = version.requiresAgreement ? texts.policyAgreementNotice : texts.noActionNeeded;
  return {
    to: email,
    subject: formatText(texts.policyUpdateSubject, { title: policy.title }),
    text: formatText(texts.policyUpdateMail, {
      username,
      effectiveDate: version.version,
      title: policy.title,
      changes: version.changes,
      actionText,
      siteUrl: ctx.config.publicUrl,
      path: policyPath(key, version.version),
    }),
  };
}

const isRecipient = ({ key }: NoticeRun, { type }: Recipient) => key !== 'creator-agreement' || type === 'creator';

/** Returns whether there are more. */
async function notifyBatch(ctx: Context, tx: DbTransaction, run: NoticeRun, size: number): Promise<boolean> {
  const { key, policy, version } = run;
  const runKey = [key, version.version];
  const [claimed] = await tx.run<{ lastId: string }>(CLAIM_RUN, runKey);
  if (!claimed) return false;
  const users = await tx.run<Recipient>(LIST_NEXT, [claimed.lastId, version.version, size]);
  const recipients = users.filter((user) => isRecipient(run, user));
  if (recipients.length > 0)
    await tx.emit('policy.changed', {
      userIds: recipients.map(({ id }) => id),
      ...{ policy: key, version: version.version, title: policy.title, changes: version.changes },
    });
  for (const user of recipients) if (user.hasMail) await ctx.mailer.send(tx, createPolicyMail(ctx, user, run));
  const isLast = users.length < size;
  const values = [...runKey, users.at(-1)?.id ?? claimed.lastId, recipients.length, isLast ? ctx.clock.now() : null];
  await tx.run(SAVE_PROGRESS, values);
  return !isLast;
}

/** Returns whether users remain. */
export async function notifyNewVersions(
  ctx: Context,
  policies: Readonly<Record<PolicyKey, Policy>> = POLICIES,
  size = USERS_PER_BATCH,
): Promise<boolean> {
  let hasMore = false;
  for (const key of POLICY_KEYS) {
    const policy = policies[key];
    const version = getVersionAt(policy, ctx.clock.now());
    // The first version existed before any user.
    if (version === policy.versions[0]) continue;
    await ctx.db.run(START_RUN, [key, version.version, ctx.clock.now()]);
    hasMore = (await ctx.db.transaction((tx) => notifyBatch(ctx, tx, { key, policy, version }, size))) || hasMore;
  }
  return hasMore;
}
