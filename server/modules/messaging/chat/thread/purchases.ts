import type { listPurchasedChatMedia, purchaseChatMedia } from '@stagedoor/contract/messaging/chat.ts';
import { purchaseMessageMedia } from '@stagedoor/contract/messaging/chat-events.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatCents, toCents, toDepositBalance, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import { parseIdOffset, toCursor } from '../../../../platform/database/pagination.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { type ChargeInput, type ChargeResult, chargeFan, findCharge } from '../../../commerce/sales/index.ts';
import { isFree } from '../../../content/entitlements/index.ts';
import { findUserSummaries } from '../../../identity/accounts/index.ts';
import { accessMessage } from '../access.ts';
import '../events.ts';
import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { emitChatEvent, getSideUserId } from '../live/emit.ts';
import { presentMessage } from '../present.ts';
import { findMessages, type MessageRow, messagesStatement, readMessages } from '../rows.ts';
import * as texts from '../texts.ts';

const MARK_PURCHASED: SqlStatement = {
  name: 'chat-mark-purchased',
  text: `with bought as (update messages set purchased_at = $2 where id = $1 and unsent_at is null and purchased_at is null
        and not exists (select from chat_attachments a left join media d on d.id = a.media_id left join chat_files f on f.id = a.file_id
          where a.holder_id = coalesce(messages.broadcast_id, messages.id) and (d.taken_down_at is not null or f.taken_down_at is not null))
      returning id, type, broadcast_id, price_cents, revision),
    noted as (insert into chat_purchases (transaction_id, fan_id, creator_id, message_id, type, price_cents, net_cents, purchased_at)
      select $3, $4, $5, b.id, b.type, b.price_cents, $6, $2 from bought b),
    counted as (select broadcast_add_counts(b.broadcast_id, $4, 0, 0, 1, $6) from bought b where b.broadcast_id is not null),
    relation as (insert into fan_creator_relations as o (fan_id, creator_id, since, bought_at, active_at) values ($4, $5, $2, $2, $2)
      on conflict (fan_id, creator_id) do update set bought_at = coalesce(o.bought_at, excluded.bought_at), active_at = greatest(o.active_at, excluded.active_at))
    select (select count(*) from counted) as counted, b.revision + coalesce((select revision from broadcasts where id = b.broadcast_id), 0) as revision
      from bought b`,
};

function emitPurchase(ctx: Context, row: MessageRow): void {
  const now = ctx.clock.now();
  for (const side of ['creator', 'fan'] satisfies ChatSide[])
    emitChatEvent(ctx, getSideUserId(row, side), purchaseMessageMedia, {
      conversationId: row.conversation_id,
      messageId: row.id,
      isPurchased: row.purchased_at !== null,
      purchasedAt: row.purchased_at?.toISOString() ?? null,
      data: presentMessage(row, side, now),
    });
}

type SellResult = {
  charged: ChargeResult;
  /** The message as it is now. Undefined when more than the purchase has changed, so that it must be read again. */
  row?: MessageRow;
};

async function sellMessage(
  ctx: Context,
  message: MessageRow,
  sale: ChargeInput,
  price: number | undefined,
): Promise<SellResult> {
  if (!message.is_from_creator || isFree(message.price_cents))
    throw new AppError('FORBIDDEN', { message: texts.messageIsFree });
  if (price !== undefined && message.fan_right !== 'purchase' && toCents(price) !== message.price_cents)
    throw new AppError('CONFLICT', {
      message: formatText(texts.currentPrice, { price: formatCents(message.price_cents) }),
    });
  if (message.fan_right === 'gift' || message.fan_right === 'subscription')
    throw new AppError('FORBIDDEN', { message: texts.alreadyHaveAccess });
  const { id, creator_id: creatorId, fan_id: fanId, broadcast_id: broadcastId } = message;
  return ctx.db.transaction(async (tx) => {
    const charged = await chargeFan(tx, sale);
    if (charged.outcome !== 'made') return { charged };
    const { transactionId, netCents, createdAt } = charged;
    const values = [id, createdAt, transactionId, fanId, creatorId, netCents];
    const [purchased] = await tx.run<{ revision: number }>(MARK_PURCHASED, values);
    // The message was unsent, or one of its files taken down, since it was read. The transaction is rolled back with
    // the charge.
    if (!purchased) throw new AppError('CONFLICT', { message: texts.messageWasDeleted });
    await tx.emit('chat.purchased', {
      messageId: id,
      conversationId: message.conversation_id,
      creatorId,
      fanId,
      transactionId,
      broadcastId,
      netCents,
    });
    const { revision } = purchased;
    if (revision !== message.revision + 1) return { charged };
    return { charged, row: { ...message, revision, purchased_at: createdAt, fan_right: 'purchase' } };
  });
}

/**
 * Charge, purchase and event in one transaction. A fan who owns the files already pays nothing.
 * Throws NOT_FOUND, FORBIDDEN (free, a gift, or spending blocked), CONFLICT (another price, or unsent meanwhile),
 * INSUFFICIENT_FUNDS.
 */
export async function buyMessage(
  ctx: Context,
  actor: Actor,
  id: string,
  { price, operationId }: { price: number | undefined; operationId: string },
): Promise<ResponseInputOf<typeof purchaseChatMedia>> {
  const message = await accessMessage(ctx.db, actor, id);
  const { creator_id: creatorId, fan_id: fanId } = message;
  const sale: ChargeInput = {
    kind: 'chat',
    fanId,
    creatorId,
    grossCents: message.price_cents,
    operationId,
    subjectId: id,
    request: { price },
    at: ctx.clock.now(),
  };
  const result = await sellMessage(ctx, message, sale, price).catch(async (error: unknown): Promise<SellResult> => {
    // The message was bought before the state that forbids it now.
    const charged = error instanceof AppError ? await findCharge(ctx.db, sale) : undefined;
    if (!charged) throw error;
    return { charged };
  });
  const { charged } = result;
  const row = result.row ?? (await findMessages(ctx.db, [id]))[0];
  if (!row) throw new AppError('NOT_FOUND');
  if (charged.outcome === 'made') emitPurchase(ctx, row);
  return {
    success: true,
    message: charged.outcome === 'owned' ? texts.alreadyUnlocked : 'Unlocked.',
    ...toDepositBalance(charged),
    transactionId: charged.transactionId,
    data: presentMessage(row, 'fan', ctx.clock.now()),
  };
}

const LIST_PURCHASED = messagesStatement(
  'chat-purchased',
  `select m.*, p.transaction_id, p.purchased_at as bought_at, p.price_cents as paid_cents
     from (select * from chat_purchases where fan_id = $1 and transaction_id < $2::uuid and hidden_at is null and revoked_at is null
       and ($5::text is null or type = $5) order by transaction_id desc offset $3 limit $4) p join messages m on m.id = p.message_id`,
  { order: 'm.transaction_id desc', extra: ', m.transaction_id, m.bought_at, m.paid_cents' },
);
const COUNT_PURCHASED: SqlStatement = {
  name: 'chat-purchased-count',
  text: `select count(*)::int as count from chat_purchases where fan_id = $1 and hidden_at is null and revoked_at is null and ($2::text is null or type = $2)`,
};
type PurchasedRow = { transaction_id: string; bought_at: Date; paid_cents: number };

export async function listPurchases(
  ctx: Context,
  actor: Actor,
  { limit, offset, kind }: QueryOf<typeof listPurchasedChatMedia>,
): Promise<ResponseInputOf<typeof listPurchasedChatMedia>> {
  const { skip, before } = parseIdOffset(offset);
  const [rows, counted] = await Promise.all([
    readMessages<PurchasedRow>(ctx.db, LIST_PURCHASED, [actor.userId, before, skip, limit + 1, kind ?? null]),
    ctx.db.run<{ count: number }>(COUNT_PURCHASED, [actor.userId, kind ?? null]),
  ]);
  const page = rows.slice(0, limit);
  const users = await findUserSummaries(
    ctx.db,
    page.map(({ creator_id }) => creator_id),
  );
  const now = ctx.clock.now();
  const last = page.at(-1);
  return {
    data: page.flatMap((row) => {
      const creator = users.get(row.creator_id);
      if (!creator) return [];
      return [
        {
          purchasedAt: row.bought_at.toISOString(),
          price: toUsd(row.paid_cents),
          transactionId: row.transaction_id,
          creator: { id: creator.id, username: creator.username, name: creator.name, avatarUrl: creator.avatarUrl },
          message: presentMessage(row, 'fan', now),
        },
      ];
    }),
    limit,
    totalCount: counted[0]?.count ?? 0,
    ...(rows.length > limit && last ? { nextOffset: toCursor(last.transaction_id) } : {}),
  };
}

/**
 * Hides purchased media from the list or shows them again. The purchase remains. Throws NOT_FOUND when it was not
 * bought.
 */
export async function setPurchaseHidden(
  ctx: Context,
  actor: Actor,
  messageId: string,
  isHidden: boolean,
): Promise<void> {
  const rows = await ctx.db.query
    .updateTable('chat_purchases')
    .set({ hidden_at: isHidden ? ctx.clock.now() : null })
    .where('fan_id', '=', actor.userId)
    .where('message_id', '=', messageId)
    .where('revoked_at', 'is', null)
    .returning('message_id')
    .execute();
  if (rows.length === 0) throw new AppError('NOT_FOUND');
}

const REVOKE_PURCHASE: SqlStatement = {
  name: 'chat-revoke',
  text: `with closed as (update chat_purchases set revoked_at = $2 where transaction_id = $1 and revoked_at is null returning message_id, fan_id, net_cents),
    shut as (update messages m set purchased_at = null from closed c where m.id = c.message_id returning m.id, m.broadcast_id),
    counted as (select broadcast_add_counts(s.broadcast_id, c.fan_id, 0, 0, -1, -c.net_cents) from shut s join closed c on c.message_id = s.id where s.broadcast_id is not null)
    select c.message_id, (select count(*) from counted) as counted from closed c`,
};

const REDUCE_EARNINGS: SqlStatement = {
  name: 'chat-reduce-earnings',
  text: `with less as (update chat_purchases set net_cents = $2 where transaction_id = $1 and revoked_at is null
      returning message_id, fan_id, new.net_cents - old.net_cents as by),
    counted as (select broadcast_add_counts(m.broadcast_id, l.fan_id, 0, 0, 0, l.by) from less l join messages m on m.id = l.message_id where m.broadcast_id is not null)
    select count(*) as counted from counted`,
};

/**
 * Applies the refund of a chat sale. A full refund revokes the purchase, a partial one reduces the creator's earnings
 * from it.
 */
export async function applyRefund(
  ctx: Context,
  sale: { transactionId: string; isWhole: boolean; netCents: number },
): Promise<void> {
  const { transactionId, isWhole, netCents } = sale;
  if (!isWhole) {
    await ctx.db.run(REDUCE_EARNINGS, [transactionId, netCents]);
    return;
  }
  const [closed] = await ctx.db.run<{ message_id: string }>(REVOKE_PURCHASE, [transactionId, ctx.clock.now()]);
  const [row] = closed ? await findMessages(ctx.db, [closed.message_id]) : [];
  if (row) emitPurchase(ctx, row);
}
