/**
 * Payout methods. Each change requires the user to authenticate again, and a new method can be used after a cooling
 * period.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { PAYOUT_METHODS_MOST } from '@stagedoor/contract/atoms/limits.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import {
  type listPayoutMethods,
  type PayoutDetails,
  type PayoutMethod,
  payoutDetails,
} from '@stagedoor/contract/payouts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { EventPayload } from '../../kernel/events.ts';
import { newId } from '../../kernel/ids.ts';
import { seal, unseal } from '../../kernel/seal.ts';
import type { Actor } from '../../kernel/session.ts';
import { proveAgain } from '../accounts/index.ts';
import { requireAddress } from './coins.ts';
import './events.ts';
import { methodMail } from './mails.ts';
import { maskedWords, presentMethod } from './present.ts';
import { payoutSettings } from './settings.ts';
import * as store from './store.ts';
import * as transfers from './transfer-store.ts';

const HOUR_MS = 60 * 60_000;
const KEY = 'payout methods';

type Proof = { currentPassword: string; code?: string | undefined };

export async function viewMethods(ctx: Context, actor: Actor): Promise<AnswerOf<typeof listPayoutMethods>> {
  const [rows, { coolingHours }] = await Promise.all([store.methodsOf(ctx.db, actor.userId), payoutSettings(ctx.db)]);
  return { data: rows.map((row) => presentMethod(row, ctx.clock.now())), most: PAYOUT_METHODS_MOST, coolingHours };
}

/** Returns the rail. A foreign account cannot be part of an ACH file. */
function railOf(details: PayoutDetails): 'ach' | 'wire' | 'paypal' | 'crypto' {
  if (details.kind !== 'ach') return details.kind;
  return details.region === 'International' ? 'wire' : 'ach';
}

async function keepMethod(
  ctx: Context,
  tx: Transaction,
  userId: string,
  details: PayoutDetails,
): Promise<store.MethodRow> {
  const id = newId(ctx.clock);
  const at = ctx.clock.now();
  const { coolingHours } = await payoutSettings(tx);
  return store.insertMethod(tx, {
    id,
    user_id: userId,
    kind: details.kind,
    rail: railOf(details),
    sealed: seal(ctx.config.deriveKey(KEY), id, JSON.stringify(details)),
    words: maskedWords(details),
    network: details.kind === 'crypto' ? details.network : null,
    created_at: at,
    usable_at: new Date(at.getTime() + coolingHours * HOUR_MS),
  });
}

async function tellOwner(
  ctx: Context,
  tx: Transaction,
  user: { id: string; username: string; email: string },
  change: EventPayload<'payout.methodChanged'>['change'],
  method: store.MethodRow,
): Promise<void> {
  await ctx.mailer.send(tx, methodMail(user, ctx.config.publicUrl, change, method));
  await tx.emit('payout.methodChanged', { userId: user.id, change, words: method.words });
}

/**
 * Throws VALIDATION (wrong password or code, invalid address), CONFLICT when it exists already or there are too many.
 */
export async function addMethod(
  ctx: Context,
  actor: Actor,
  { details, ...proof }: Proof & { details: PayoutDetails },
): Promise<PayoutMethod> {
  if (details.kind === 'crypto') await requireAddress(details);
  const prove = await proveAgain(ctx, actor, proof);
  const row = await ctx.db.transaction(async (tx) => {
    const user = await prove(tx);
    const known = await store.methodsOf(tx, user.id);
    if (known.some((row) => isDeepStrictEqual(openMethod(ctx, row), details)))
      throw new AppError('CONFLICT', { message: 'You’ve already added this method.' });
    if (known.length >= PAYOUT_METHODS_MOST)
      throw new AppError('CONFLICT', {
        message: `You can have up to ${PAYOUT_METHODS_MOST} methods. Remove one first.`,
      });
    const made = await keepMethod(ctx, tx, user.id, details);
    await tellOwner(ctx, tx, user, 'added', made);
    return made;
  });
  return presentMethod(row, ctx.clock.now());
}

/** Decrypts the details. Only code that sends money may call it. */
export function openMethod(ctx: Pick<Context, 'config'>, { id, sealed }: store.MethodRow): PayoutDetails {
  return z.parse(payoutDetails, JSON.parse(unseal(ctx.config.deriveKey(KEY), id, sealed)));
}

/** Throws NOT_FOUND before any check that would reveal that the method exists. */
async function requireOwn(ctx: Context, { userId }: Actor, id: string): Promise<void> {
  const rows = await store.methodsOf(ctx.db, userId);
  if (!rows.some((row) => row.id === id)) throw new AppError('NOT_FOUND');
}

/**
 * Replaces a method and throws as {@link addMethod}. An automatic payout continues with the new one, existing requests
 * with the old one. Throws NOT_FOUND.
 */
export async function replaceMethod(
  ctx: Context,
  actor: Actor,
  id: string,
  { details, ...proof }: Proof & { details: PayoutDetails },
): Promise<PayoutMethod> {
  if (details.kind === 'crypto') await requireAddress(details);
  await requireOwn(ctx, actor, id);
  const prove = await proveAgain(ctx, actor, proof);
  const row = await ctx.db.transaction(async (tx) => {
    const user = await prove(tx);
    if (!(await store.lockMethod(tx, user.id, id))) throw new AppError('NOT_FOUND');
    await store.removeMethod(tx, id, ctx.clock.now());
    const made = await keepMethod(ctx, tx, user.id, details);
    await transfers.moveRules(tx, id, made.id);
    await tellOwner(ctx, tx, user, 'replaced', made);
    return made;
  });
  return presentMethod(row, ctx.clock.now());
}

/**
 * Throws VALIDATION (wrong password or code), NOT_FOUND, CONFLICT while a request or an automatic payout uses the
 * method.
 */
export async function removeMethod(ctx: Context, actor: Actor, id: string, proof: Proof): Promise<void> {
  await requireOwn(ctx, actor, id);
  const prove = await proveAgain(ctx, actor, proof);
  await ctx.db.transaction(async (tx) => {
    const user = await prove(tx);
    const row = await store.lockMethod(tx, user.id, id);
    if (!row) throw new AppError('NOT_FOUND');
    if (await store.isAwaited(tx, id))
      throw new AppError('CONFLICT', {
        message: 'A payout to this method is in progress. Wait for it or cancel it first.',
      });
    if (await transfers.hasRule(tx, id))
      throw new AppError('CONFLICT', { message: 'Automatic payouts use this method. Change or turn them off first.' });
    await store.removeMethod(tx, id, ctx.clock.now());
    await tellOwner(ctx, tx, user, 'removed', row);
  });
}
