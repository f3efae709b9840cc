/** Recipients that are stored when a broadcast is sent, because who belonged to a group is not known later. */
import { SUBSCRIBER_SEGMENTS, type SubscriberSegment } from '@stagedoor/contract/content/subscriptions.ts';
import type { BroadcastAudience } from '@stagedoor/contract/messaging/broadcasts.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { listTopEarners } from '../../../commerce/sales/index.ts';
import { subscriberSegmentSql } from '../../../content/subscriptions/index.ts';

export type StoredAudience = SubscriberSegment | 'topSpenders';
export const STORED_AUDIENCES: readonly StoredAudience[] = [...SUBSCRIBER_SEGMENTS, 'topSpenders'];
const TOP_SPENDERS = 100;

/** Whether a creator may write to a fan: not blocked, and a follower or a fan with a relation. */
const isReachableSql = (fan: string, creator: string) =>
  `not exists (select from blocks x where x.fan_id = ${fan} and x.creator_id = ${creator})
    and (exists (select from follows f where f.fan_id = ${fan} and f.creator_id = ${creator})
      or exists (select from fan_creator_relations o where o.fan_id = ${fan} and o.creator_id = ${creator}))`;

const createSaveStatement = (audience: StoredAudience, fans: string): SqlStatement => ({
  name: `broadcasts-save-${audience}`,
  text: `insert into broadcast_recipients (broadcast_id, fan_id)
    select b.id, g.fan_id from broadcasts b cross join lateral (${fans}) g
    where b.id = $1 and ${isReachableSql('g.fan_id', 'b.creator_id')} on conflict do nothing`,
});
const SPENDERS = (ids: string) => `select distinct unnest(${ids}::uuid[]) as fan_id`;
const SAVE_SPENDERS = createSaveStatement('topSpenders', SPENDERS('$2'));
const createSegmentStatement = (segment: SubscriberSegment) =>
  createSaveStatement(segment, subscriberSegmentSql(segment, { creator: 'b.creator_id', at: '$2', tier: 'b.tier_id' }));
const SAVE_SEGMENT: Readonly<Record<SubscriberSegment, SqlStatement>> = {
  subscribers: createSegmentStatement('subscribers'),
  tier: createSegmentStatement('tier'),
  newSubscribers: createSegmentStatement('newSubscribers'),
  trials: createSegmentStatement('trials'),
  pastDue: createSegmentStatement('pastDue'),
  expiring: createSegmentStatement('expiring'),
  ended: createSegmentStatement('ended'),
};

async function listSpenderIds(db: Executor, creatorId: string): Promise<string[]> {
  const earners = await listTopEarners(db, creatorId, TOP_SPENDERS);
  return earners.filter(({ kind }) => kind === 'fan').map(({ id }) => id);
}

export function isStoredAudience(audience: BroadcastAudience): audience is StoredAudience {
  return STORED_AUDIENCES.some((each) => each === audience);
}

/** Stores who belongs to the audience now. Does nothing for audiences that can be found out later. */
export async function saveRecipients(
  tx: DbTransaction,
  { id, creatorId, audience, at }: { id: string; creatorId: string; audience: BroadcastAudience; at: Date },
): Promise<void> {
  if (!isStoredAudience(audience)) return;
  if (audience === 'topSpenders') await tx.run(SAVE_SPENDERS, [id, await listSpenderIds(tx, creatorId)]);
  else await tx.run(SAVE_SEGMENT[audience], [id, at]);
}

const countSql = (fans: string) =>
  `(select count(*)::int from (${fans}) g where ${isReachableSql('g.fan_id', '$1::uuid')})`;
const countSegmentSql = (segment: SubscriberSegment) =>
  `${countSql(subscriberSegmentSql(segment, { creator: '$1::uuid', at: '$2', tier: '$3::uuid' }))} as "${segment}"`;
const COUNT: SqlStatement = {
  name: 'broadcasts-count-segments',
  text: `select ${SUBSCRIBER_SEGMENTS.map(countSegmentSql).join(', ')}, ${countSql(SPENDERS('$4'))} as "topSpenders"`,
};

/** How many fans a broadcast to each of these audiences would reach now. */
export async function countStoredAudiences(
  db: Executor,
  creatorId: string,
  at: Date,
  tierId: string | undefined,
): Promise<Readonly<Record<StoredAudience, number>>> {
  const spenderIds = await listSpenderIds(db, creatorId);
  const [row] = await db.run<Record<StoredAudience, number>>(COUNT, [creatorId, at, tierId ?? null, spenderIds]);
  if (!row) throw new Error('counting returned no row');
  return row;
}
