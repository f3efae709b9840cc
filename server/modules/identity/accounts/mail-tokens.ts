/** Anyone can request a link, but it is sent only to the account's own address. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { MAIL_INTERVAL_SECONDS } from '@stagedoor/contract/shared/limits.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { createToken, hashToken } from '../../../platform/security/session.ts';
import './events.ts';
import { createResetMail, createVerificationMail } from './mails.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const LIFETIME_MS: Record<store.LinkPurpose, number> = { verify: 24 * 60 * 60_000, reset: 60 * 60_000 };
const PAUSE_MS = MAIL_INTERVAL_SECONDS * 1000;

/**
 * Earlier links stay valid until they expire or one is used. `nextPath` is where a confirmed address leads, an internal path.
 */
export async function sendMailToken(
  ctx: Context,
  tx: DbTransaction,
  user: { id: string; username: string; email: string },
  purpose: store.LinkPurpose,
  nextPath: string | null = null,
): Promise<void> {
  const token = createToken();
  const now = ctx.clock.now();
  await store.insertMailToken(tx, {
    token_hash: hashToken(token),
    user_id: user.id,
    purpose,
    email: user.email,
    next_path: nextPath,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFETIME_MS[purpose]),
  });
  const createMail = purpose === 'verify' ? createVerificationMail : createResetMail;
  await ctx.mailer.send(tx, { ...createMail(user, ctx.config.publicUrl, token), isEssential: true });
}

/**
 * The request does the same work whether or not the account exists. {@link sendRequestedMail} looks it up later, so that
 * neither the response nor its timing reveals it.
 */
export async function requestMail(ctx: Context, purpose: store.LinkPurpose, name: string): Promise<void> {
  await ctx.db.transaction((tx) => tx.emit('account.mailRequested', { purpose, name }));
}

/** A repeated delivery is harmless because of the pause between mails. */
export async function sendRequestedMail(
  ctx: Context,
  mailRequest: { purpose: store.LinkPurpose; name: string },
): Promise<void> {
  const foundUser = await store.findUserByLogin(ctx.db, mailRequest.name.trim());
  if (!foundUser) return;
  await ctx.db.transaction(async (tx) => {
    const user = await store.lockUser(tx, foundUser.id);
    if (!user || (mailRequest.purpose === 'verify' && user.email_verified_at !== null)) return;
    const since = new Date(ctx.clock.now().getTime() - PAUSE_MS);
    if (await store.hasMailTokenSince(tx, user.id, mailRequest.purpose, since)) return;
    const nextPath = await store.findNextPath(tx, user.id, mailRequest.purpose);
    await sendMailToken(ctx, tx, user, mailRequest.purpose, nextPath);
  });
}

/**
 * Locks the user, so that a concurrent request with the same token sees the result of the first. Throws NOT_FOUND if
 * the token is unknown, expired or was mailed to a former address.
 */
export async function lockMailToken(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  token: string,
  purpose: store.LinkPurpose,
): Promise<{ user: store.User; isUsed: boolean; nextPath: string | null }> {
  const now = ctx.clock.now();
  const foundToken = await store.findMailToken(tx, hashToken(token), purpose, now);
  const user = foundToken && (await store.lockUser(tx, foundToken.user_id));
  const lockedToken = user && (await store.findMailToken(tx, hashToken(token), purpose, now));
  if (!lockedToken || lockedToken.email.toLowerCase() !== user.email.toLowerCase()) throw createInvalidLinkError();
  return { user, isUsed: lockedToken.used_at !== null, nextPath: lockedToken.next_path };
}

export function createInvalidLinkError(): AppError {
  return new AppError('NOT_FOUND', { message: texts.linkExpiredError });
}

/** Confirms an address by its token and returns it, and where the sign-up began. Idempotent. Throws NOT_FOUND. */
export async function verifyEmail(ctx: Context, token: string): Promise<{ email: string; next?: string }> {
  return ctx.db.transaction(async (tx) => {
    const { user, isUsed, nextPath } = await lockMailToken(ctx, tx, token, 'verify');
    if (isUsed && user.email_verified_at === null) throw createInvalidLinkError();
    const now = ctx.clock.now();
    if (user.email_verified_at === null) await store.updateUser(tx, user.id, { email_verified_at: now });
    await store.useMailTokens(tx, user.id, 'verify', now);
    return { email: user.email, ...(nextPath !== null && { next: nextPath }) };
  });
}
