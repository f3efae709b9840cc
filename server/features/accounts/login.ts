/** Logging in and out. Nothing but the right password tells whether a name is known: neither words, nor time, nor limits. */

import type { UserType } from '@stagedoor/contract/accounts.ts';
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { clearAttempts, countAttempt, releaseAttempt } from './attempts.ts';
import { isPassword } from './passwords.ts';
import { beginSession, forgetSessions, type SessionOrigin } from './sessions.ts';
import * as store from './store.ts';
import { WRONG_CODE } from './two-factor.ts';
import { spendCode } from './two-factor-codes.ts';

export type Credentials = { username: string; password: string; code?: string | undefined };
export type LoginOutcome =
  | { state: 'loggedIn'; id: UserId; type: UserType; token: string }
  | { state: 'twoFactorRequired' }
  | { state: 'verificationRequired' };

function wrong(): AppError {
  return invalid('password', 'Wrong username or password.');
}

/** What guesses at a log-in are counted by: the account, so that name and address share one count; else the name given. */
export function loginSubject(user: { id: string } | undefined, name: string): string {
  return user ? `login:${user.id}` : `login:nobody:${name.toLowerCase()}`;
}

/**
 * Checks name or e-mail, password and, with two-factor, the code; begins a session with a new token and ends the one
 * that `replaced` was on. Throws VALIDATION on `password` or `code`, account_blocked, RATE_LIMITED after ten failures
 * in 15 minutes or when too many wait.
 */
export async function login(
  ctx: Context,
  credentials: Credentials,
  origin: SessionOrigin,
  replaced?: Actor,
): Promise<LoginOutcome> {
  const found = await store.findUserByLogin(ctx.db, credentials.username);
  const subject = loginSubject(found, credentials.username);
  await countAttempt(ctx, subject);
  const isRight = await isPassword(found?.password_hash, credentials.password);
  if (!found || !isRight) throw wrong();
  const outcome = await ctx.db.transaction(async (tx) => {
    const user = await store.lockUser(tx, found.id);
    // Hashing takes long enough for the password to be changed meanwhile, which ends every session: this one too.
    if (!user || user.password_hash !== found.password_hash) throw wrong();
    return enter(ctx, tx, user, credentials.code, origin, replaced);
  });
  if (outcome.state === 'loggedIn') {
    await clearAttempts(ctx.db, subject);
    if (replaced) forgetSessions(ctx, [replaced.sessionId]);
  } else {
    await releaseAttempt(ctx.db, subject);
  }
  if (outcome.state === 'blocked') throw new AppError('account_blocked');
  return outcome;
}

/** Everything after the password, on the locked row. */
async function enter(
  ctx: Context,
  tx: Transaction,
  user: store.User,
  code: string | undefined,
  origin: SessionOrigin,
  replaced: Actor | undefined,
): Promise<LoginOutcome | { state: 'blocked' }> {
  if (user.is_blocked) return { state: 'blocked' };
  if (user.email_verified_at === null) return { state: 'verificationRequired' };
  if (user.two_factor_enabled_at !== null) {
    if (code === undefined) return { state: 'twoFactorRequired' };
    if (!(await spendCode(ctx, tx, user, code))) throw invalid('code', WRONG_CODE);
  }
  if (replaced) await store.deleteSession(tx, replaced.userId, replaced.sessionId);
  const token = await beginSession(ctx, tx, user.id, origin);
  return { state: 'loggedIn', id: user.id, type: user.type, token };
}

/** Ends the actor's session here and its sockets; without one, nothing. */
export async function logout(ctx: Context, actor: Actor | undefined): Promise<void> {
  if (!actor) return;
  await store.deleteSession(ctx.db, actor.userId, actor.sessionId);
  forgetSessions(ctx, [actor.sessionId]);
}
