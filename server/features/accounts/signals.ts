/**
 * Keyed hashes of device cookies and payment cards recognize a user who opens another account. Networks are not used
 * because households share them.
 */
import { createHmac } from 'node:crypto';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { keptMs } from '../../kernel/retention.ts';

const MOST = 40;
const NOTE: Statement = {
  name: 'accounts-note-signals',
  text: `insert into account_signals (user_id, mac, seen_at) select u.id, m.mac, $3 from users u, unnest($2::bytea[]) m (mac)
    where u.id = $1 and not u.is_erasing
    on conflict (user_id, mac) do update set seen_at = excluded.seen_at`,
};
const TRIM: Statement = {
  name: 'accounts-trim-signals',
  text: `delete from account_signals s using (
      select user_id, mac from account_signals where user_id = $1 order by seen_at desc offset $2) old
    where s.user_id = old.user_id and s.mac = old.mac`,
};
const PURGE: Statement = { name: 'accounts-purge-signals', text: 'delete from account_signals where seen_at <= $1' };
const FORGET: Statement = { name: 'accounts-forget-signals', text: 'delete from account_signals where user_id = $1' };

type Keeper = Pick<Context, 'config' | 'clock'>;

/** `of` separates browsers from cards, so that equal values do not match. */
async function note(
  { config, clock }: Keeper,
  tx: Executor,
  { userId, of, what }: { userId: string; of: 'browser signals' | 'card signals'; what: readonly string[] },
): Promise<void> {
  const key = config.deriveKey(of);
  const macs = [...new Set(what)].map((one) => createHmac('sha256', key).update(one).digest());
  await tx.run(NOTE, [userId, macs, clock.now()]);
  await tx.run(TRIM, [userId, MOST]);
}

/** The browser's tokens of other accounts are stored too. */
export function noteBrowser(keeper: Keeper, tx: Executor, userId: string, tokens: readonly string[]): Promise<void> {
  return note(keeper, tx, { userId, of: 'browser signals', what: tokens });
}

/** Stores nothing for an account that is being erased. */
export function noteCard(keeper: Keeper, tx: Executor, userId: string, card: string): Promise<void> {
  return note(keeper, tx, { userId, of: 'card signals', what: [card] });
}

export async function purgeSignals({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await db.run(PURGE, [new Date(clock.now().getTime() - keptMs('accountSignals'))]);
}

export async function forgetSignals(tx: Executor, userId: string): Promise<void> {
  await tx.run(FORGET, [userId]);
}
