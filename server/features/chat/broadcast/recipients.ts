import type { BroadcastAudience } from '@stagedoor/contract/broadcasts.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import { afterId } from '../../../kernel/offset.ts';

const AFTER = afterId('fan_id', '$2');
const OF_BONDS = `select fan_id from chat_bonds where creator_id = $4 and ${AFTER}`;
const OF_FOLLOWS = `select fan_id from follows where creator_id = $4 and created_at <= $5 and ${AFTER}`;

/** Each group uses its own index, so that the cost of a page does not depend on the number of recipients. */
const GROUPS: Readonly<Record<BroadcastAudience, string>> = {
  followers: OF_FOLLOWS,
  notBought: OF_FOLLOWS,
  buyers: `${OF_BONDS} and bought_at <= $5`,
  active: `${OF_BONDS} and since <= $5 and active_at >= $5::timestamptz - interval '30 days'`,
  chosen: `select fan_id from (select unnest(fan_ids) as fan_id from broadcasts where id = $1 and creator_id = $4 and sent_at = $5) c where ${AFTER}`,
};

const pageOf = (audience: BroadcastAudience): Statement => ({
  name: `broadcasts-recipients-${audience}`,
  text: `with page as materialized (${GROUPS[audience]} order by fan_id limit $3)
    select (select fan_id from page order by fan_id desc limit 1) as last, (select count(*)::int from page) as count,
      array(select p.fan_id from page p join broadcasts b on b.id = $1
        where not ((b.exclude_buyers or b.audience = 'notBought') and chat_owns(p.fan_id, b.id))
          and not exists (select from conversations c where c.creator_id = $4 and c.fan_id = p.fan_id
            and (c.is_blocked_by_creator or c.is_blocked_by_fan)))::text[] as "fanIds"`,
});
const PAGES: Readonly<Record<BroadcastAudience, Statement>> = {
  followers: pageOf('followers'),
  notBought: pageOf('notBought'),
  buyers: pageOf('buyers'),
  active: pageOf('active'),
  chosen: pageOf('chosen'),
};

const SENT: Statement = {
  name: 'broadcasts-recipients-of',
  text: `select creator_id as "creatorId", audience, sent_at as "sentAt" from broadcasts where id = $1 and state = 'sent'`,
};

/**
 * Returns at most `size` recipients after the fan `after`, none once the broadcast was unsent. `next` is the cursor,
 * null at the end.
 */
export async function broadcastRecipients(
  db: Executor,
  broadcastId: string,
  { after, size }: { after: string | null; size: number },
): Promise<{ fanIds: string[]; next: string | null }> {
  type Sent = { creatorId: string; audience: BroadcastAudience; sentAt: Date };
  const [sent] = await db.run<Sent>(SENT, [broadcastId]);
  if (!sent) return { fanIds: [], next: null };
  type Page = { last: string | null; count: number; fanIds: string[] };
  const { audience, creatorId, sentAt } = sent;
  const [page] = await db.run<Page>(PAGES[audience], [broadcastId, after, size, creatorId, sentAt]);
  return { fanIds: page?.fanIds ?? [], next: page?.count === size ? page.last : null };
}
