/**
 * E-mail digest of missed notifications. A user gets at most one a day, and each notification is in only one digest.
 */
import { PATHS, preferencesPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { Mail } from '../../../platform/mail.ts';
import { findUser } from '../../identity/accounts/index.ts';
import { countUnreadSince } from '../../messaging/chat/index.ts';
import { claimMissedGroups, type GroupView } from './list.ts';
import * as texts from './texts.ts';
import { createUnsubscribeHeaders } from './unsubscribe.ts';

const MIN_INTERVAL_MS = 24 * 60 * 60_000;
const BATCH_SIZE = 100;
const MAX_LINES = 20;
/** A notification can be written this much later than its event, so the query looks further back. */
const LATE_MS = 60 * 60_000;
/** A message is stored at most this long after its timestamp. */
const WRITING_MS = 60_000;

const LIST_DUE: SqlStatement = {
  name: 'notifications-digests-due',
  text: `select p.user_id as "userId", array_agg(p.key) as keys, coalesce(d.sent_at, $2) as since
    from notification_preferences p left join notification_digests d on d.user_id = p.user_id
    where p.email and p.user_id > $1::uuid and coalesce(d.sent_at, '-infinity') <= $2
      and (p.key = 'newMessage' or exists (select from notifications n where n.user_id = p.user_id and n.read_at is null and n.digested_at is null and n.kind = p.key))
    group by p.user_id, d.sent_at order by p.user_id limit $3`,
};
const LOCK: SqlStatement = {
  name: 'notifications-digest-lock',
  text: "select pg_advisory_xact_lock(hashtextextended('digest ' || $1, 0)) is null as is_locked",
};
const IS_DUE: SqlStatement = {
  name: 'notifications-digest-is-due',
  text: 'select not exists (select from notification_digests where user_id = $1 and sent_at > $2) as "isDue"',
};
const SAVE_SENT: SqlStatement = {
  name: 'notifications-digest-note',
  text: `insert into notification_digests (user_id, sent_at) values ($1, $2) on conflict (user_id) do update set sent_at = excluded.sent_at`,
};

async function lockDueDigest(tx: DbTransaction, userId: string, now: Date): Promise<boolean> {
  await tx.run(LOCK, [userId]);
  const before = new Date(now.getTime() - MIN_INTERVAL_MS);
  return (await tx.run<{ isDue: boolean }>(IS_DUE, [userId, before]))[0]?.isDue === true;
}

type DueDigest = { userId: string; keys: string[]; since: Date };

function formatGroup({ users, userCount, text, detail }: GroupView): string {
  const [first] = users;
  const others =
    userCount > 1
      ? formatText(texts.andOthers, { count: userCount - 1, othersLabel: userCount === 2 ? 'other' : 'others' })
      : '';
  return `${first ? `${first.name}${others} ` : ''}${text}${detail ? ` (${detail})` : ''}`;
}

/**
 * Counts messages of conversations whose last message came between the previous digest and this one, both shifted back
 * a little.
 */
async function formatMissedMessages(db: Executor, { userId, since, keys }: DueDigest, now: Date): Promise<string[]> {
  if (!keys.includes('newMessage')) return [];
  const [after, until] = [since, now].map((at) => new Date(at.getTime() - WRITING_MS));
  if (!after || !until) return [];
  const count = await countUnreadSince(db, userId, 'fan', { after, until });
  return count === 0
    ? []
    : [formatText(texts.unreadMessages, { count, messagesLabel: count === 1 ? 'message' : 'messages' })];
}

type Recipient = { id: string; type: string; username: string; email: string };

function createDigestMail(ctx: Context, { id, type, username, email }: Recipient, lines: readonly string[]): Mail {
  const page = `${ctx.config.publicUrl}${type === 'creator' ? PATHS.creatorNotifications : PATHS.fanNotifications}`;
  const more = lines.length > MAX_LINES ? [`And ${lines.length - MAX_LINES} more.`] : [];
  return {
    to: email,
    // The subject does not mention the content, because others may see it.
    subject: texts.digestSubject,
    text: formatText(texts.digestEmail, {
      username,
      list: [...lines.slice(0, MAX_LINES).map((line) => `- ${line}`), ...more].join('\n'),
      notificationsUrl: page,
      preferencesUrl: preferencesPath(page),
    }),
    headers: createUnsubscribeHeaders(ctx, id),
  };
}

async function sendDigest(ctx: Context, due: DueDigest): Promise<void> {
  const user = await findUser(ctx.db, due.userId);
  if (!user || user.is_blocked || user.email_verified_at === null) return;
  if (user.break_until && user.break_until > ctx.clock.now()) return;
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    if (!(await lockDueDigest(tx, due.userId, now))) return;
    const since = new Date(due.since.getTime() - LATE_MS);
    const missed = await claimMissedGroups(tx, user, { kinds: due.keys, since, now });
    const lines = [...(await formatMissedMessages(tx, due, now)), ...missed.map(formatGroup)];
    if (lines.length === 0) return;
    await tx.run(SAVE_SENT, [user.id, now]);
    await ctx.mailer.send(tx, createDigestMail(ctx, user, lines));
  });
}

/** Sends all due digests. A user whose mail fails is skipped and retried in the next run. */
export async function sendDigests(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - MIN_INTERVAL_MS);
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const due = await ctx.db.run<DueDigest>(LIST_DUE, [after, before, BATCH_SIZE]);
    for (const digest of due)
      await sendDigest(ctx, digest).catch((error: unknown) =>
        ctx.log.error({ err: error, userId: digest.userId }, 'a digest was not sent'),
      );
    const last = due.at(-1);
    if (!last || due.length < BATCH_SIZE) return;
    after = last.userId;
  }
}
