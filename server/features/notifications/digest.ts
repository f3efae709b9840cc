/**
 * E-mail digest of missed notifications. A user gets at most one a day, and each notification is in only one digest.
 */
import { PATHS, preferencesPath } from '@stagedoor/contract/addresses.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import type { Mail } from '../../kernel/mail.ts';
import { findUser } from '../accounts/index.ts';
import { unreadSince } from '../chat/index.ts';
import { type Line, takeMissedLines } from './lines.ts';
import { unsubscribeHeaders } from './unsubscribe.ts';

const PAUSE_MS = 24 * 60 * 60_000;
const PEOPLE_AT_ONCE = 100;
const MOST_LINES = 20;
/** A notification can be written this much later than its event, so the query looks further back. */
const LATE_MS = 60 * 60_000;
/** A message is stored at most this long after its timestamp. */
const WRITING_MS = 60_000;

const DUE: Statement = {
  name: 'notifications-digests-due',
  text: `select p.user_id as "userId", array_agg(p.key) as keys, coalesce(d.sent_at, $2) as since
    from notification_preferences p left join notification_digests d on d.user_id = p.user_id
    where p.email and p.user_id > $1::uuid and coalesce(d.sent_at, '-infinity') <= $2
      and (p.key = 'newMessage' or exists (select from notifications n where n.user_id = p.user_id and n.read_at is null and n.digested_at is null and n.kind = p.key))
    group by p.user_id, d.sent_at order by p.user_id limit $3`,
};
const LOCK: Statement = {
  name: 'notifications-digest-lock',
  text: "select pg_advisory_xact_lock(hashtextextended('digest ' || $1, 0)) is null as is_locked",
};
const IS_DUE: Statement = {
  name: 'notifications-digest-is-due',
  text: 'select not exists (select from notification_digests where user_id = $1 and sent_at > $2) as "isDue"',
};
const NOTE: Statement = {
  name: 'notifications-digest-note',
  text: `insert into notification_digests (user_id, sent_at) values ($1, $2) on conflict (user_id) do update set sent_at = excluded.sent_at`,
};

async function begin(tx: Transaction, userId: string, now: Date): Promise<boolean> {
  await tx.run(LOCK, [userId]);
  const before = new Date(now.getTime() - PAUSE_MS);
  return (await tx.run<{ isDue: boolean }>(IS_DUE, [userId, before]))[0]?.isDue === true;
}

type Due = { userId: string; keys: string[]; since: Date };

function wordsOf({ people, peopleCount, text, detail }: Line): string {
  const [first] = people;
  const others = peopleCount > 1 ? ` and ${peopleCount - 1} ${peopleCount === 2 ? 'other' : 'others'}` : '';
  return `${first ? `${first.name}${others} ` : ''}${text}${detail ? ` (${detail})` : ''}`;
}

/**
 * Counts messages of conversations whose last message came between the previous digest and this one, both shifted back
 * a little.
 */
async function missedMessages(db: Executor, { userId, since, keys }: Due, now: Date): Promise<string[]> {
  if (!keys.includes('newMessage')) return [];
  const [after, until] = [since, now].map((at) => new Date(at.getTime() - WRITING_MS));
  if (!after || !until) return [];
  const count = await unreadSince(db, userId, 'fan', { after, until });
  return count === 0 ? [] : [`${count} unread ${count === 1 ? 'message' : 'messages'}`];
}

type To = { id: string; type: string; username: string; email: string };

function digestMail(ctx: Context, { id, type, username, email }: To, lines: readonly string[]): Mail {
  const page = `${ctx.config.publicUrl}${type === 'creator' ? PATHS.creatorNotifications : PATHS.fanNotifications}`;
  const more = lines.length > MOST_LINES ? [`And ${lines.length - MOST_LINES} more.`] : [];
  return {
    to: email,
    // The subject does not mention the content, because others may see it.
    subject: 'What you missed on Stagedoor',
    text: `Hello ${username},

Here’s what you missed:

${[...lines.slice(0, MOST_LINES).map((line) => `- ${line}`), ...more].join('\n')}

See all: ${page}

You get this email at most once a day. Manage email notifications:
${preferencesPath(page)}
`,
    headers: unsubscribeHeaders(ctx, id),
  };
}

async function send(ctx: Context, due: Due): Promise<void> {
  const user = await findUser(ctx.db, due.userId);
  if (!user || user.is_blocked || user.email_verified_at === null) return;
  if (user.away_until && user.away_until > ctx.clock.now()) return;
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    if (!(await begin(tx, due.userId, now))) return;
    const since = new Date(due.since.getTime() - LATE_MS);
    const missed = await takeMissedLines(tx, user, { kinds: due.keys, since, now });
    const lines = [...(await missedMessages(tx, due, now)), ...missed.map(wordsOf)];
    if (lines.length === 0) return;
    await tx.run(NOTE, [user.id, now]);
    await ctx.mailer.send(tx, digestMail(ctx, user, lines));
  });
}

/** Sends all due digests. A user whose mail fails is skipped and retried in the next run. */
export async function sendDigests(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - PAUSE_MS);
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const due = await ctx.db.run<Due>(DUE, [after, before, PEOPLE_AT_ONCE]);
    for (const person of due)
      await send(ctx, person).catch((error: unknown) =>
        ctx.log.error({ err: error, userId: person.userId }, 'a digest was not sent'),
      );
    const last = due.at(-1);
    if (!last || due.length < PEOPLE_AT_ONCE) return;
    after = last.userId;
  }
}
