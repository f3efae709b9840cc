/**
 * Takedown and restoration of broadcasts by an operator, read and bought ones included, in batches after the commit.
 */
import type { Context } from '../../../kernel/context.ts';
import type { Statement, Transaction } from '../../../kernel/db.ts';
import type { EventPayload } from '../../../kernel/events.ts';
import { restingStep } from '../../../kernel/rest.ts';
import './events.ts';
import type { Gone } from './store.ts';

const AT_ONCE = 1_000;
const TOLD_AT_ONCE = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const WITHHOLD: Statement = {
  name: 'broadcasts-withhold',
  text: `update broadcasts set withheld_at = $2 where id = $1 and withheld_at is null returning creator_id`,
};
const SHOW: Statement = {
  name: 'broadcasts-show-again',
  text: `with known as (select id, withheld_at from broadcasts where id = $1 and withheld_at is not null for update)
    update broadcasts b set withheld_at = null from known k where b.id = k.id returning b.creator_id, k.withheld_at`,
};

/** Idempotent. */
export async function withholdBroadcast({ clock }: Pick<Context, 'clock'>, tx: Transaction, id: string): Promise<void> {
  const at = clock.now();
  const [row] = await tx.run<{ creator_id: string }>(WITHHOLD, [id, at]);
  if (!row) return;
  const withheld = { broadcastId: id, creatorId: row.creator_id, at: at.toISOString(), isWithheld: true };
  await tx.emit('broadcast.withheld', withheld);
}

export async function showBroadcast(tx: Transaction, id: string): Promise<void> {
  const [row] = await tx.run<{ creator_id: string; withheld_at: Date }>(SHOW, [id]);
  if (!row) return;
  const shown = { broadcastId: id, creatorId: row.creator_id, at: row.withheld_at.toISOString(), isWithheld: false };
  await tx.emit('broadcast.withheld', shown);
}

const NEXT = `with next as materialized (select m.conversation_id, m.seq from messages m where m.broadcast_id = $1 and m.conversation_id > $2
      order by m.conversation_id limit $4),
    held as materialized (select c.id, c.fan_id, c.fan_read_seq from conversations c where c.id in (select conversation_id from next) order by c.id for no key update)`;
const unread = (sign: '+' | '-') => `counted as (update conversations c set
      fan_unread = case when g.is_unread then greatest(c.fan_unread ${sign} 1, 0) else c.fan_unread end
      from changed g where c.id = g.conversation_id returning c.id, c.revision)
    select (select max(conversation_id::text) from next) as last,
      coalesce((select json_agg(json_build_object('id', g.id, 'conversation_id', g.conversation_id, 'fan_id', g.fan_id,
        'revision', g.revision + (select revision from broadcasts where id = $1), 'conversation_revision', n.revision))
        from changed g join counted n on n.id = g.conversation_id), '[]') as gone`;
const CHANGED =
  'm.id, m.conversation_id, m.revision, h.fan_id, m.seq > h.fan_read_seq and not m.is_hidden_from_fan as is_unread';
const TAKE: Statement = {
  name: 'broadcasts-withhold-from',
  text: `${NEXT}, changed as (update messages m set unsent_at = $3, withheld_at = $3 from next n join held h on h.id = n.conversation_id
      where m.conversation_id = n.conversation_id and m.seq = n.seq and m.unsent_at is null
        and exists (select from broadcasts b where b.id = $1 and b.withheld_at = $3) returning ${CHANGED}), ${unread('-')}`,
};
/** If the creator unsent the broadcast meanwhile, only fans who read or bought it get it back. */
const GIVE: Statement = {
  name: 'broadcasts-show-to',
  text: `${NEXT}, changed as (update messages m set unsent_at = null, withheld_at = null from next n join held h on h.id = n.conversation_id
      where m.conversation_id = n.conversation_id and m.seq = n.seq and m.withheld_at = $3
        and (m.purchased_at is not null or m.seq <= h.fan_read_seq or exists (select from broadcasts b where b.id = $1 and b.state = 'sent'))
      returning ${CHANGED}), ${unread('+')}`,
};

type Withheld = EventPayload<'broadcast.withheld'>;

async function changeNext(tx: Transaction, payload: Withheld, from: string | null): Promise<string | null> {
  const { broadcastId, creatorId, at, isWithheld } = payload;
  const values = [broadcastId, from ?? FIRST_ID, new Date(at), AT_ONCE];
  const [row] = await tx.run<{ last: string | null; gone: Gone[] }>(isWithheld ? TAKE : GIVE, values);
  const gone = isWithheld ? (row?.gone ?? []) : [];
  for (let start = 0; start < gone.length; start += TOLD_AT_ONCE)
    await tx.emit('broadcast.takenBack', { broadcastId, creatorId, gone: gone.slice(start, start + TOLD_AT_ONCE) });
  return row?.last ?? null;
}

export function registerWithholding(ctx: Context): void {
  ctx.events.do(
    'broadcast.withheld',
    'broadcasts.withhold',
    { lane: 'bulk', subject: ({ broadcastId }) => `broadcast:${broadcastId}` },
    ({ payload }, { from, signal }) =>
      restingStep(signal, () => ctx.db.transaction((tx) => changeNext(tx, payload, from))),
  );
}
