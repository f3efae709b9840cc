/** Anyone can request a link, but it is sent only to the account's own address. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { MAIL_PAUSE_SECONDS } from '@stagedoor/contract/atoms/limits.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { hashToken, newToken } from '../../kernel/session.ts';
import './events.ts';
import { resetMail, verificationMail } from './mails.ts';
import * as store from './store.ts';

const LIFE_MS: Record<store.MailPurpose, number> = { verify: 24 * 60 * 60_000, reset: 60 * 60_000 };
const PAUSE_MS = MAIL_PAUSE_SECONDS * 1000;

/** Earlier links stay valid until they expire or one is used. */
export async function sendMailToken(
  ctx: Context,
  tx: Transaction,
  user: { id: string; username: string; email: string },
  purpose: store.MailPurpose,
): Promise<void> {
  const token = newToken();
  const now = ctx.clock.now();
  await store.insertMailToken(tx, {
    token_hash: hashToken(token),
    user_id: user.id,
    purpose,
    email: user.email,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFE_MS[purpose]),
  });
  const mail = purpose === 'verify' ? verificationMail : resetMail;
  await ctx.mailer.send(tx, { ...mail(user, ctx.config.publicUrl, token), isOnlyWay: true });
}

/**
 * The request does the same work whether or not the account exists. {@link answerMailAsked} looks it up later, so that
 * neither the response nor its timing reveals it.
 */
export async function askForMail(ctx: Context, purpose: store.MailPurpose, name: string): Promise<void> {
  await ctx.db.transaction((tx) => tx.emit('account.mailAsked', { purpose, name }));
}

/** A repeated delivery is harmless because of the pause between mails. */
export async function answerMailAsked(
  ctx: Context,
  asked: { purpose: store.MailPurpose; name: string },
): Promise<void> {
  const found = await store.findUserByLogin(ctx.db, asked.name.trim());
  if (!found) return;
  await ctx.db.transaction(async (tx) => {
    const user = await store.lockUser(tx, found.id);
    if (!user || (asked.purpose === 'verify' && user.email_verified_at !== null)) return;
    const since = new Date(ctx.clock.now().getTime() - PAUSE_MS);
    if (await store.hasMailTokenSince(tx, user.id, asked.purpose, since)) return;
    await sendMailToken(ctx, tx, user, asked.purpose);
  });
}

/**
 * Locks the user, so that a concurrent request with the same token sees the result of the first. Throws NOT_FOUND if
 * the token is unknown, expired or was mailed to a former address.
 */
export async function lockMailToken(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  token: string,
  purpose: store.MailPurpose,
): Promise<{ user: store.User; isUsed: boolean }> {
  const now = ctx.clock.now();
  const known = await store.findMailToken(tx, hashToken(token), purpose, now);
  const user = known && (await store.lockUser(tx, known.user_id));
  const mailed = user && (await store.findMailToken(tx, hashToken(token), purpose, now));
  if (!mailed || mailed.email.toLowerCase() !== user.email.toLowerCase()) throw noSuchLink();
  return { user, isUsed: mailed.used_at !== null };
}

export function noSuchLink(): AppError {
  return new AppError('NOT_FOUND', { message: 'This link has expired or is no longer valid. Request a new one.' });
}

/** Confirms an address by its token and returns it. Idempotent. Throws NOT_FOUND. */
export async function verifyEmail(ctx: Context, token: string): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    const { user, isUsed } = await lockMailToken(ctx, tx, token, 'verify');
    if (isUsed && user.email_verified_at === null) throw noSuchLink();
    const now = ctx.clock.now();
    if (user.email_verified_at === null) await store.updateUser(tx, user.id, { email_verified_at: now });
    await store.useMailTokens(tx, user.id, 'verify', now);
    return user.email;
  });
}
