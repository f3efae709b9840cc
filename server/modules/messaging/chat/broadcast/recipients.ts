import type { BroadcastAudience } from '@stagedoor/contract/messaging/broadcasts.ts';
import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { afterIdSql } from '../../../../platform/database/pagination.ts';

const AFTER = afterIdSql('fan_id', '$2');
const RELATIONS_SQL = `select fan_id from fan_creator_relations where creator_id = $4 and ${AFTER}`;
const FOLLOWS_SQL = `select fan_id from follows where creator_id = $4 and created_at <= $5 and ${AFTER}`;

/** Those that were stored when the broadcast was sent. */
const STORED_SQL = `select r.fan_id from broadcast_recipients r join broadcasts b on b.id = r.broadcast_id
  where r.broadcast_id = $1 and b.sent_at = $5 and ${afterIdSql('r.fan_id', '$2')}`;

/** Each group uses its own index, so that the cost of a page does not depend on the number of recipients. */
const AUDIENCE_SQL: Readonly<Record<BroadcastAudience, string>> = {
  followers: FOLLOWS_SQL,
  notBought: FOLLOWS_SQL,
  buyers: `${RELATIONS_SQL} and bought_at <= $5`,
  active: `${RELATIONS_SQL} and since <= $5 and active_at >= $5::timestamptz - interval '30 days'`,
  chosen: `select fan_id from (select unnest(fan_ids) as fan_id from broadcasts where id = $1 and creator_id = $4 and sent_at = $5) c where ${AFTER}`,
  subscribers: STORED_SQL,
  tier: STORED_SQL,
  newSubscribers: STORED_SQL,
  trials: STORED_SQL,
  pastDue: STORED_SQL,
  expiring: STORED_SQL,
  ended: STORED_SQL,
  topSpenders: STORED_SQL,
};

const createPageStatement = (audience: BroadcastAudience): SqlStatement => ({
  name: `broadcasts-recipients-${audience}`,
  text: `with page as materialized (${AUDIENCE_SQL[audience]} order by fan_id limit $3)
    select (select fan_id from page order by fan_id desc limit 1) as last, (select count(*)::int from page) as count,
      array(select p.fan_id from page p join broadcasts b on b.id = $1
        where not ((b.exclude_buyers or b.audience = 'notBought') and chat_owns_media(p.fan_id, b.id))
          and not exists (select from conversations c where c.creator_id = $4 and c.fan_id = p.fan_id
            and (c.is_blocked_by_creator or c.is_blocked_by_fan)))::text[] as "fanIds"`,
});
const PAGE_STATEMENTS: Readonly<Record<BroadcastAudience, SqlStatement>> = {
  followers: createPageStatement('followers'),
  notBought: createPageStatement('notBought'),
  buyers: createPageStatement('buyers'),
  active: createPageStatement('active'),
  chosen: createPageStatement('chosen'),
  subscribers: createPageStatement('subscribers'),
  tier: createPageStatement('tier'),
  newSubscribers: createPageStatement('newSubscribers'),
  trials: createPageStatement('trials'),
  pastDue: createPageStatement('pastDue'),
  expiring: createPageStatement('expiring'),
  ended: createPageStatement('ended'),
  topSpenders: createPageStatement('topSpenders'),
};

const FIND_SENT: SqlStatement = {
  name: 'broadcasts-recipients-of',
  text: `select creator_id as "creatorId", audience, sent_at as "sentAt" from broadcasts where id = $1 and state = 'sent'`,
};

/**
 * Returns at most `size` recipients after the fan `after`, none once the broadcast was unsent. `next` is the cursor,
 * null at the end.
 */
export async function listBroadcastRecipients(
  db: Executor,
  broadcastId: string,
  { after, size }: { after: string | null; size: number },
): Promise<{ fanIds: string[]; next: string | null }> {
  type SentBroadcast = { creatorId: string; audience: BroadcastAudience; sentAt: Date };
  const [sent] = await db.run<SentBroadcast>(FIND_SENT, [broadcastId]);
  if (!sent) return { fanIds: [], next: null };
  type Page = { last: string | null; count: number; fanIds: string[] };
  const { audience, creatorId, sentAt } = sent;
  const [page] = await db.run<Page>(PAGE_STATEMENTS[audience], [broadcastId, after, size, creatorId, sentAt]);
  return { fanIds: page?.fanIds ?? [], next: page?.count === size ? page.last : null };
}
