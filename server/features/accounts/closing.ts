/** A closing account is hidden like a blocked one until a log-in restores it or it is erased to a pseudonym. */
import { createHmac } from 'node:crypto';
import { NAME_KEPT_DAYS } from '@stagedoor/contract/closing.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import './events.ts';
import { unblockWithin } from './blocking.ts';
import { forgetDevices } from './known-devices.ts';
import { forgetSessions } from './sessions.ts';
import { forgetSignals } from './signals.ts';
import * as store from './store.ts';

const DAY_MS = 24 * 60 * 60_000;
const NO_PASSWORD = '!';

/** Suspends the account. Returns the work to do after the commit. */
export async function beginClosing(ctx: Context, tx: Transaction, user: store.User): Promise<() => void> {
  const { id, type, username } = user;
  await store.updateUser(tx, id, { is_blocked: true, is_closing: true });
  await tx.emit('account.blocked', { userId: id, type, username, reason: 'closing' });
  const ended = await store.deleteSessions(tx, id);
  return () => {
    forgetSessions(ctx, ended);
    ctx.sessions.forget({ userIds: [id] });
    ctx.realtime.disconnect({ userIds: [id] });
  };
}

export async function takeBackClosing(tx: Transaction, userId: string): Promise<void> {
  await store.updateUser(tx, userId, { is_closing: false });
  await unblockWithin(tx, userId);
}

/** Makes the closing final: neither a log-in nor an operator restores the account. Idempotent. */
export async function beginErasing(tx: Transaction, userId: string): Promise<void> {
  await store.updateUser(tx, userId, {
    is_blocked: true,
    is_closing: false,
    is_closing_held: false,
    is_erasing: true,
  });
}

function nameHash({ config }: Pick<Context, 'config'>, username: string): Buffer {
  return createHmac('sha256', config.deriveKey('retired names')).update(username.toLowerCase()).digest();
}

const RETIRE: Statement = {
  name: 'accounts-retire-name',
  text: 'insert into retired_names (name_hash, until) values ($1, $2) on conflict (name_hash) do update set until = excluded.until',
};
const RETIRED: Statement = {
  name: 'accounts-retired-name',
  text: 'select 1 as is_retired from retired_names where name_hash = $1 and until > $2',
};
const TOKENS: Statement = { name: 'accounts-forget-tokens', text: 'delete from mail_tokens where user_id = $1' };

/** The name of a closed account stays reserved for a year. */
export async function isRetired(
  ctx: Pick<Context, 'config' | 'clock'>,
  db: Executor,
  username: string,
): Promise<boolean> {
  return (await db.run(RETIRED, [nameHash(ctx, username), ctx.clock.now()])).length > 0;
}

/** Erases personal data and leaves a pseudonym that the ledger refers to. Idempotent. */
export async function eraseAccount(ctx: Context, tx: Transaction, userId: string): Promise<void> {
  const user = await store.lockUser(tx, userId);
  if (!user) return;
  // No registered username can equal this, because usernames have no hyphen.
  const pseudonym = `closed-${userId}`;
  if (user.username === pseudonym) return;
  const until = new Date(ctx.clock.now().getTime() + NAME_KEPT_DAYS * DAY_MS);
  await tx.run(RETIRE, [nameHash(ctx, user.username), until]);
  await store.deleteSessions(tx, userId);
  await store.replaceRecoveryCodes(tx, userId, []);
  await forgetDevices(tx, userId);
  await forgetSignals(tx, userId);
  await tx.run(TOKENS, [userId]);
  await store.updateUser(tx, userId, {
    username: pseudonym,
    email: `${userId}@closed.invalid`,
    name: 'Closed account',
    password_hash: NO_PASSWORD,
    avatar_key: null,
    avatar_thumbhash: null,
    is_blocked: true,
    is_closing: false,
    is_erasing: true,
    blocked_until: null,
    blocked_words: '',
    email_verified_at: null,
    consented_at: null,
    referral_code: null,
    two_factor_secret: null,
    two_factor_enabled_at: null,
    two_factor_last_step: null,
    last_seen_at: null,
    away_until: null,
  });
}
