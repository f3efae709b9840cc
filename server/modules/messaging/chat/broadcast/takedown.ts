/**
 * Takedown and restoration of broadcasts by an operator, read and bought ones included, in batches after the commit.
 */

import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../../platform/database/db.ts';
import type { EventPayload } from '../../../../platform/events/event-types.ts';
import { runThrottledStep } from '../../../../platform/jobs/batch-throttle.ts';
import './events.ts';
import type { RemovedBroadcastMessage } from './store.ts';

const BATCH_SIZE = 1_000;
const EVENT_BATCH_SIZE = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const TAKE_DOWN: SqlStatement = {
  name: 'broadcasts-take-down',
  text: `update broadcasts set taken_down_at = $2 where id = $1 and taken_down_at is null returning creator_id`,
};
const RESTORE: SqlStatement = {
  name: 'broadcasts-restore',
  text: `with known as (select id, taken_down_at from broadcasts where id = $1 and taken_down_at is not null for update)
    update broadcasts b set taken_down_at = null from known k where b.id = k.id returning b.creator_id, k.taken_down_at`,
};

/** Idempotent. */
export async function takeDownBroadcast(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  id: string,
): Promise<void> {
  const at = clock.now();
  const [row] = await tx.run<{ creator_id: string }>(TAKE_DOWN, [id, at]);
  if (!row) return;
  const payload = { broadcastId: id, creatorId: row.creator_id, at: at.toISOString(), isTakenDown: true };
  await tx.emit('broadcast.takedownChanged', payload);
}

export async function restoreBroadcast(tx: DbTransaction, id: string): Promise<void> {
  const [row] = await tx.run<{ creator_id: string; taken_down_at: Date }>(RESTORE, [id]);
  if (!row) return;
  const payload = {
    broadcastId: id,
    creatorId: row.creator_id,
    at: row.taken_down_at.toISOString(),
    isTakenDown: false,
  };
  await tx.emit('broadcast.takedownChanged', payload);
}

const NEXT_BATCH = `with next as materialized (select m.conversation_id, m.seq from messages m where m.broadcast_id = $1 and m.conversation_id > $2
      order by m.conversation_id limit $4),
    held as materialized (select c.id, c.fan_id, c.fan_read_seq from conversations c where c.id in (select conversation_id from next) order by c.id for no key update)`;
const unreadCountSql = (sign: '+' | '-') => `counted as (update conversations c set
      fan_unread = case when g.is_unread then greatest(c.fan_unread ${sign} 1, 0) else c.fan_unread end
      from changed g where c.id = g.conversation_id returning c.id, c.revision)
    select (select max(conversation_id::text) from next) as last,
      coalesce((select json_agg(json_build_object('id', g.id, 'conversation_id', g.conversation_id, 'fan_id', g.fan_id,
        'revision', g.revision + (select revision from broadcasts where id = $1), 'conversation_revision', n.revision))
        from changed g join counted n on n.id = g.conversation_id), '[]') as removed`;
const CHANGED_COLUMNS =
  'm.id, m.conversation_id, m.revision, h.fan_id, m.seq > h.fan_read_seq and not m.is_hidden_from_fan as is_unread';
const TAKE_DOWN_BATCH: SqlStatement = {
  name: 'broadcasts-take-down-from',
  text: `${NEXT_BATCH}, changed as (update messages m set unsent_at = $3, taken_down_at = $3 from next n join held h on h.id = n.conversation_id
      where m.conversation_id = n.conversation_id and m.seq = n.seq and m.unsent_at is null
        and exists (select from broadcasts b where b.id = $1 and b.taken_down_at = $3) returning ${CHANGED_COLUMNS}), ${unreadCountSql('-')}`,
};
/** If the creator unsent the broadcast meanwhile, only fans who read or bought it get it back. */
const RESTORE_BATCH: SqlStatement = {
  name: 'broadcasts-restore-for',
  text: `${NEXT_BATCH}, changed as (update messages m set unsent_at = null, taken_down_at = null from next n join held h on h.id = n.conversation_id
      where m.conversation_id = n.conversation_id and m.seq = n.seq and m.taken_down_at = $3
        and (m.purchased_at is not null or m.seq <= h.fan_read_seq or exists (select from broadcasts b where b.id = $1 and b.state = 'sent'))
      returning ${CHANGED_COLUMNS}), ${unreadCountSql('+')}`,
};

type TakedownPayload = EventPayload<'broadcast.takedownChanged'>;

async function applyNextBatch(
  tx: DbTransaction,
  payload: TakedownPayload,
  previous: string | null,
): Promise<string | null> {
  const { broadcastId, creatorId, at, isTakenDown } = payload;
  const values = [broadcastId, previous ?? FIRST_ID, new Date(at), BATCH_SIZE];
  const [row] = await tx.run<{ last: string | null; removed: RemovedBroadcastMessage[] }>(
    isTakenDown ? TAKE_DOWN_BATCH : RESTORE_BATCH,
    values,
  );
  const removed = isTakenDown ? (row?.removed ?? []) : [];
  for (let start = 0; start < removed.length; start += EVENT_BATCH_SIZE)
    await tx.emit('broadcast.messagesRemoved', {
      broadcastId,
      creatorId,
      removed: removed.slice(start, start + EVENT_BATCH_SIZE),
    });
  return row?.last ?? null;
}

export function registerTakedownHandler(ctx: Context): void {
  ctx.events.addJobHandler(
    'broadcast.takedownChanged',
    'broadcasts.applyTakedown',
    { queue: 'bulk', subject: ({ broadcastId }) => `broadcast:${broadcastId}` },
    ({ payload }, { previous, signal }) =>
      runThrottledStep(signal, () => ctx.db.transaction((tx) => applyNextBatch(tx, payload, previous))),
  );
}
