/**
 * Payout methods. Each change requires the user to authenticate again, and a new method can be used after a cooling
 * period.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type listPayoutMethods,
  type PayoutDetails,
  type PayoutMethod,
  payoutDetails,
} from '@stagedoor/contract/finance/payouts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { PAYOUT_METHODS_MAX } from '@stagedoor/contract/shared/limits.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import { createId } from '../../../platform/ids.ts';
import { decryptText, encryptContent } from '../../../platform/security/encryption.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { reauthenticate } from '../../identity/accounts/index.ts';
import { requireValidAddress } from './crypto-addresses.ts';
import './events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { buildMethodMail } from './mails.ts';
import { formatMaskedLabel, presentMethod } from './present.ts';
import { loadPayoutSettings } from './settings.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import * as transfers from './transfer-store.ts';

const HOUR_MS = 60 * 60_000;
const KEY = 'payout methods';

type ReauthenticationInput = { currentPassword: string; code?: string | undefined };

export async function viewMethods(ctx: Context, actor: Actor): Promise<ResponseInputOf<typeof listPayoutMethods>> {
  const [rows, { coolingHours }] = await Promise.all([
    store.listMethods(ctx.db, actor.userId),
    loadPayoutSettings(ctx.db),
  ]);
  return { data: rows.map((row) => presentMethod(row, ctx.clock.now())), max: PAYOUT_METHODS_MAX, coolingHours };
}

/** Returns the rail. A foreign account cannot be part of an ACH file. */
function toRail(details: PayoutDetails): 'ach' | 'wire' | 'paypal' | 'crypto' {
  if (details.kind !== 'ach') return details.kind;
  return details.region === 'International' ? 'wire' : 'ach';
}

async function createMethod(
  ctx: Context,
  tx: DbTransaction,
  userId: string,
  details: PayoutDetails,
): Promise<store.MethodRow> {
  const id = createId(ctx.clock);
  const at = ctx.clock.now();
  const { coolingHours } = await loadPayoutSettings(tx);
  return store.insertMethod(tx, {
    id,
    user_id: userId,
    kind: details.kind,
    rail: toRail(details),
    encrypted_details: encryptContent(ctx.config.deriveKey(KEY), id, JSON.stringify(details)),
    label: formatMaskedLabel(details),
    network: details.kind === 'crypto' ? details.network : null,
    created_at: at,
    usable_at: new Date(at.getTime() + coolingHours * HOUR_MS),
  });
}

async function notifyOwner(
  ctx: Context,
  tx: DbTransaction,
  user: { id: string; username: string; email: string },
  change: EventPayload<'payout.methodChanged'>['change'],
  method: store.MethodRow,
): Promise<void> {
  await ctx.mailer.send(tx, buildMethodMail(user, ctx.config.publicUrl, change, method));
  await tx.emit('payout.methodChanged', { userId: user.id, change, label: method.label });
}

/**
 * Throws VALIDATION (wrong password or code, invalid address), CONFLICT when it exists already or there are too many.
 */
export async function addMethod(
  ctx: Context,
  actor: Actor,
  { details, ...reauthentication }: ReauthenticationInput & { details: PayoutDetails },
): Promise<PayoutMethod> {
  if (details.kind === 'crypto') await requireValidAddress(details);
  const confirmReauthentication = await reauthenticate(ctx, actor, reauthentication);
  const row = await ctx.db.transaction(async (tx) => {
    const user = await confirmReauthentication(tx);
    const existing = await store.listMethods(tx, user.id);
    if (existing.some((row) => isDeepStrictEqual(decryptMethod(ctx, row), details)))
      throw new AppError('CONFLICT', { message: texts.methodAlreadyAdded });
    if (existing.length >= PAYOUT_METHODS_MAX)
      throw new AppError('CONFLICT', {
        message: formatText(texts.methodLimitReached, { maximum: PAYOUT_METHODS_MAX }),
      });
    const method = await createMethod(ctx, tx, user.id, details);
    await notifyOwner(ctx, tx, user, 'added', method);
    return method;
  });
  return presentMethod(row, ctx.clock.now());
}

/** Decrypts the details. Only code that sends money may call it. */
export function decryptMethod(
  ctx: Pick<Context, 'config'>,
  { id, encrypted_details: sealed }: store.MethodRow,
): PayoutDetails {
  return z.parse(payoutDetails, JSON.parse(decryptText(ctx.config.deriveKey(KEY), id, sealed)));
}

/** Throws NOT_FOUND before any check that would reveal that the method exists. */
async function requireOwnMethod(ctx: Context, { userId }: Actor, id: string): Promise<void> {
  const rows = await store.listMethods(ctx.db, userId);
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
  { details, ...reauthentication }: ReauthenticationInput & { details: PayoutDetails },
): Promise<PayoutMethod> {
  if (details.kind === 'crypto') await requireValidAddress(details);
  await requireOwnMethod(ctx, actor, id);
  const confirmReauthentication = await reauthenticate(ctx, actor, reauthentication);
  const row = await ctx.db.transaction(async (tx) => {
    const user = await confirmReauthentication(tx);
    if (!(await store.lockMethod(tx, user.id, id))) throw new AppError('NOT_FOUND');
    await store.removeMethod(tx, id, ctx.clock.now());
    const method = await createMethod(ctx, tx, user.id, details);
    await transfers.moveRules(tx, id, method.id);
    await notifyOwner(ctx, tx, user, 'replaced', method);
    return method;
  });
  return presentMethod(row, ctx.clock.now());
}

/**
 * Throws VALIDATION (wrong password or code), NOT_FOUND, CONFLICT while a request or an automatic payout uses the
 * method.
 */
export async function removeMethod(
  ctx: Context,
  actor: Actor,
  id: string,
  reauthentication: ReauthenticationInput,
): Promise<void> {
  await requireOwnMethod(ctx, actor, id);
  const confirmReauthentication = await reauthenticate(ctx, actor, reauthentication);
  await ctx.db.transaction(async (tx) => {
    const user = await confirmReauthentication(tx);
    const row = await store.lockMethod(tx, user.id, id);
    if (!row) throw new AppError('NOT_FOUND');
    if (await store.hasOpenPayout(tx, id))
      throw new AppError('CONFLICT', {
        message: texts.methodHasPayoutInProgress,
      });
    if (await transfers.hasRule(tx, id))
      throw new AppError('CONFLICT', { message: texts.methodUsedByAutomaticPayouts });
    await store.removeMethod(tx, id, ctx.clock.now());
    await notifyOwner(ctx, tx, user, 'removed', row);
  });
}
