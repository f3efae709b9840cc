/** Tips: one lookup of the recipient, cached for a few seconds, and one statement that charges. */

import type { sendTip } from '@stagedoor/contract/finance/wallet.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { toCents, toDepositBalance } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { requireNotGeoBlocked } from '../../../platform/geo.ts';
import { defineHook, defineKeyedHook } from '../../../platform/hooks.ts';
import type { Actor } from '../../../platform/security/session.ts';
import {
  type ChargeInput,
  type ChargeResult,
  chargeFan,
  chargeFanNow,
  findCharge,
} from '../../commerce/sales/index.ts';
import { findUserState } from '../../identity/accounts/index.ts';
import { hasBlockedFans, isBlockedPair } from '../../identity/blocks/index.ts';
import { isVisiblePostOf } from './posts.ts';

/** How long a recipient is cached, the same as a session (platform/security/session.ts). */
const CACHE_TTL_MS = 5_000;
const MAX_CACHED = 10_000;

/** `none`: not a creator, or blocked by the platform. `blockedPair`: fan and creator are a blocked pair. */
type FindRecipient = (fanId: string, creatorId: string) => Promise<'recipient' | 'blockedPair' | 'none'>;

export function createRecipientCache(ctx: Context): FindRecipient {
  const cache = new Map<string, { until: number; hasBlocks: boolean }>();
  ctx.events.addLocalHandler(
    'account.blocked',
    'wallet.invalidateRecipient',
    ({ payload }) => void cache.delete(payload.userId),
    () => cache.clear(),
  );
  const resolveBlock = async (fanId: string, creatorId: string, hasBlocks: boolean) =>
    hasBlocks && (await isBlockedPair(ctx.db, fanId, creatorId)) ? 'blockedPair' : 'recipient';
  return async (fanId, creatorId) => {
    const now = ctx.clock.now().getTime();
    const cached = cache.get(creatorId);
    if (cached && cached.until > now) return resolveBlock(fanId, creatorId, cached.hasBlocks);
    const user = await findUserState(ctx.db, creatorId);
    if (user?.type !== 'creator' || user.is_blocked) {
      cache.delete(creatorId);
      return 'none';
    }
    const hasBlocks = await hasBlockedFans(ctx.db, creatorId);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(creatorId, { until: now + CACHE_TTL_MS, hasBlocks });
    return resolveBlock(fanId, creatorId, hasBlocks);
  };
}

/** Throws to refuse a tip. The module that owns the tip location registers it. */
export type TipGuard = (fanId: string, creatorId: string, toward: { goalId: string | undefined }) => Promise<void>;
const tipGuards = defineKeyedHook<TipGuard, TipInput['type']>('wallet.tipGuard');
export const registerTipGuard = tipGuards.register;

export type TipInput = BodyOf<typeof sendTip> & { creatorId: string; operationId: string };

const getSubjectId = ({ type, postId, goalId }: TipInput) =>
  type === 'post' ? postId : type === 'profile' ? goalId : undefined;

async function requireTippable(
  ctx: Context,
  findRecipient: FindRecipient,
  actor: Actor,
  { creatorId, type, postId, goalId }: TipInput,
): Promise<void> {
  requireNotGeoBlocked(creatorId);
  const recipient = await findRecipient(actor.userId, creatorId);
  // In a chat both users know each other, so the block is reported openly. Elsewhere it looks as if the creator did not
  // exist.
  if (recipient === 'none' || (recipient === 'blockedPair' && type !== 'chat')) throw new AppError('NOT_FOUND');
  if (type === 'post' && postId !== undefined) {
    const isTheirs = isId(postId) && (await isVisiblePostOf(ctx, { postId, creatorId, fanId: actor.userId }));
    if (!isTheirs) throw new AppError('NOT_FOUND');
  }
  await tipGuards.find(ctx, type)?.(actor.userId, creatorId, { goalId });
}

/** Makes `cents` spendable in the transaction. Returns false, and changes nothing, when that is not possible. */
type ReleaseFunds = (cents: number) => Promise<boolean>;
/**
 * Runs `charge` in one transaction with the fan's answered call with this creator, whose held money `releaseFunds` can
 * use. Returns undefined without such a call.
 */
export type CallFunds = (
  pair: { fanId: string; creatorId: string },
  charge: (tx: DbTransaction, releaseFunds: ReleaseFunds) => Promise<ChargeResult | undefined>,
) => Promise<ChargeResult | undefined>;
const callFunds = defineHook<CallFunds>('wallet.callFunds');
export const registerCallFunds = callFunds.register;

const LACKS_FUNDS: readonly string[] = ['INSUFFICIENT_FUNDS', 'FORBIDDEN'];

/** In a call, a tip that the wallet alone cannot pay also uses the money that is held for the call. */
async function chargeTip(ctx: Context, sale: ChargeInput): Promise<ChargeResult> {
  try {
    return await chargeFanNow(ctx.db, sale);
  } catch (error) {
    if (!(error instanceof AppError) || !LACKS_FUNDS.includes(error.code)) throw error;
    const charged = await callFunds.find(ctx)?.(sale, async (tx, releaseFunds) => {
      const earlier = await findCharge(tx, sale);
      if (earlier) return earlier;
      return (await releaseFunds(sale.grossCents)) ? chargeFan(tx, sale) : undefined;
    });
    if (!charged) throw error;
    return charged;
  }
}

/**
 * Tips a creator. Idempotent per operation id.
 * Throws VALIDATION (beyond the price limits), NOT_FOUND (no such creator, or the post or goal is not theirs),
 * INSUFFICIENT_FUNDS, CONFLICT (operation id used for another request, or the goal has ended), FORBIDDEN (spending
 * blocked, or over a limit).
 */
export async function createTip(
  ctx: Context,
  findRecipient: FindRecipient,
  actor: Actor,
  tip: TipInput,
): Promise<ResponseInputOf<typeof sendTip>> {
  const { creatorId, type } = tip;
  const sale: ChargeInput = {
    kind: 'tip',
    fanId: actor.userId,
    creatorId,
    grossCents: toCents(tip.amount),
    operationId: tip.operationId,
    subjectId: getSubjectId(tip),
    note: tip.note,
    tipType: type,
    at: ctx.clock.now(),
  };
  const toResponse = (result: ChargeResult) => ({ ...toDepositBalance(result), transactionId: result.transactionId });
  try {
    await requireTippable(ctx, findRecipient, actor, tip);
    const charged = await chargeTip(ctx, { ...sale, priceKind: 'tip' });
    if (charged.isCreated) ctx.events.wake();
    return toResponse(charged);
  } catch (error) {
    // The tip may already have been charged before the reason for the refusal existed.
    const earlier = error instanceof AppError ? await findCharge(ctx.db, sale) : undefined;
    if (!earlier) throw error;
    return toResponse(earlier);
  }
}
