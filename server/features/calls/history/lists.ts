/** Row F4. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { CallReason } from '@stagedoor/contract/call-states.ts';
import type { callHistory } from '@stagedoor/contract/calls.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import { cursorOf, readIdOffset } from '../../../kernel/offset.ts';
import { hiddenHere } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findPeople } from '../../accounts/index.ts';
import { blocksBetween } from '../../chat/index.ts';
import { findSales, type Sale } from '../../sales/index.ts';
import { accessCall } from '../call/access.ts';
import { type Call, COLUMNS, otherSide, reasonFor, type Side, userOf } from '../call/sides.ts';
import { presentOther } from '../call/view.ts';
import '../events.ts';

type Page = AnswerOf<typeof callHistory>;
export type Log = Page['data'][number];

const MISSED = ['noAnswer', 'cancelled', 'busy', 'offline', 'unavailable'] as const;
const unanswered = (reasons: readonly CallReason[]) =>
  `(c.ended_at is not null and c.answered_at is null and c.reason = any ('{${reasons.join()}}'))`;
const IS_MISSED = unanswered(MISSED);
/** To the fan a declined call looks busy, so it counts as missed. */
const WAS_MISSED: Readonly<Record<Side, string>> = { creator: IS_MISSED, fan: unanswered([...MISSED, 'declined']) };

function isMissed({ reason, answeredAt }: Call): boolean {
  return answeredAt === null && MISSED.some((known) => known === reason);
}

type Known = { people: Awaited<ReturnType<typeof findPeople>>; sales: ReadonlyMap<string | null, Sale> };

export async function knownOf(db: Executor, calls: readonly Call[], side: Side): Promise<Known> {
  const [people, sales] = await Promise.all([
    findPeople(
      db,
      calls.map((call) => userOf(call, otherSide(side))),
    ),
    findSales(
      db,
      calls.flatMap(({ transactionId }) => transactionId ?? []),
    ),
  ]);
  return { people, sales: new Map(sales.map((sale) => [sale.id, sale])) };
}

export function presentLog(call: Call, side: Side, { people, sales }: Known): Log {
  const sale = sales.get(call.transactionId);
  const givenBackCents = side === 'fan' ? sale?.reversedCents : sale?.reversedNetCents;
  return {
    callLogId: call.id,
    kind: call.kind,
    status: call.status,
    reason: reasonFor(call, side),
    isOutgoing: side === 'fan',
    other: presentOther(people, userOf(call, otherSide(side))),
    createdAt: call.createdAt.toISOString(),
    answeredAt: call.answeredAt?.toISOString() ?? null,
    endedAt: call.endedAt?.toISOString() ?? null,
    durationSeconds: Math.floor(call.talkedMs / 1000),
    amountPerMinute: toUsd(call.rateCents),
    amount: toUsd(side === 'fan' ? call.chargedCents : call.netCents),
    givenBack: givenBackCents === undefined ? 0 : toUsd(givenBackCents),
    isMissed: side === 'creator' && isMissed(call) && call.seenAt === null,
    isCallBackAsked: call.callBackAskedAt !== null,
  };
}

/** Hides free calls with creators who are geo-blocked for the actor ($5). Paid calls stay visible. */
const IS_SEEN = '(c.charged_cents > 0 or c.ended_at is null or c.creator_id <> all ($5::uuid[]))';
const wanted = (own: Side, other: Side) =>
  `c.${own}_id = $1 and ($2::text is null or c.kind = $2) and (not $3::boolean or ${WAS_MISSED[own]}) and ($4::uuid is null or c.${other}_id = $4)
    and not (c.is_screened and ${own === 'creator'}) and ${IS_SEEN}`;
const listText = (own: Side, other: Side) =>
  `select ${COLUMNS} from calls c where ${wanted(own, other)} and c.id < $6::uuid order by c.id desc limit $7 offset $8`;
const countText = (own: Side, other: Side) => `select count(*) as count from calls c where ${wanted(own, other)}`;
const LIST: Readonly<Record<Side, Statement>> = {
  fan: { name: 'calls-list-fan', text: listText('fan', 'creator') },
  creator: { name: 'calls-list-creator', text: listText('creator', 'fan') },
};
const COUNT: Readonly<Record<Side, Statement>> = {
  fan: { name: 'calls-count-fan', text: countText('fan', 'creator') },
  creator: { name: 'calls-count-creator', text: countText('creator', 'fan') },
};

export async function listCalls(ctx: Context, actor: Actor, query: QueryOf<typeof callHistory>): Promise<Page> {
  const { limit, offset, type, missed, with: other } = query;
  const side = actor.type === 'creator' ? 'creator' : 'fan';
  const { skip, before } = readIdOffset(offset);
  const values = [actor.userId, type ?? null, missed, other ?? null, hiddenHere()];
  const [rows, counted] = await Promise.all([
    ctx.db.run<Call>(LIST[side], [...values, before, limit + 1, skip]),
    ctx.db.run<{ count: number }>(COUNT[side], values),
  ]);
  const shown = rows.slice(0, limit);
  const known = await knownOf(ctx.db, shown, side);
  const last = shown.at(-1);
  return {
    data: shown.map((call) => presentLog(call, side, known)),
    limit,
    totalCount: counted[0]?.count ?? 0,
    ...(rows.length > limit && last ? { nextOffset: cursorOf(last.id) } : {}),
  };
}

const NEW: Statement = {
  name: 'calls-missed',
  text: `select count(*) as count from calls c where c.creator_id = $1 and c.seen_at is null and not c.is_screened and ${IS_MISSED}`,
};

/** Always 0 for a fan. */
export async function countMissed(ctx: Context, actor: Actor): Promise<{ count: number }> {
  const [row] = await ctx.db.run<{ count: number }>(NEW, [actor.userId]);
  return { count: row?.count ?? 0 };
}

const SEE: Statement = {
  name: 'calls-see-missed',
  text: `update calls c set seen_at = $2 where c.creator_id = $1 and c.seen_at is null and not c.is_screened and ${IS_MISSED}`,
};

export async function seeMissed(ctx: Context, actor: Actor): Promise<{ count: number }> {
  await ctx.db.run(SEE, [actor.userId, ctx.clock.now()]);
  return countMissed(ctx, actor);
}

async function viewLog(db: Executor, actor: Actor, id: string): Promise<Log> {
  const { call, side } = await accessCall(db, actor, id);
  return presentLog(call, side, await knownOf(db, [call], side));
}

const ASK: Statement = {
  name: 'calls-ask-back',
  text: 'update calls set call_back_asked_at = $2 where id = $1 and call_back_asked_at is null returning id',
};

/** The fan is notified once. Throws NOT_FOUND, CONFLICT (the call was not missed, or the creator blocked the fan). */
export async function askBack(ctx: Context, actor: Actor, id: string): Promise<Log> {
  const { call, side } = await accessCall(ctx.db, actor, id);
  if (side !== 'creator') throw new AppError('NOT_FOUND');
  if (!isMissed(call)) throw new AppError('CONFLICT', { message: 'You can only request a callback for missed calls.' });
  const { fanId, creatorId } = call;
  const blocks = await blocksBetween(ctx.db, fanId, creatorId);
  if (blocks.byCreator) throw new AppError('CONFLICT', { message: 'You blocked this person.' });
  await ctx.db.transaction(async (tx) => {
    const [asked] = await tx.run<{ id: string }>(ASK, [id, ctx.clock.now()]);
    // A fan who blocked the creator is not notified, and the creator does not learn of the block.
    if (asked && !blocks.byFan) await tx.emit('call.backAsked', { callLogId: id, fanId, creatorId });
  });
  return viewLog(ctx.db, actor, id);
}
