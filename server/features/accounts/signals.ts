/**
 * By which an account can be known again that somebody made anew: the browsers it was logged in from, as keyed hashes of what their
 * device cookies hold. A network is not among them: those who share a household share it.
 */
import { createHmac } from 'node:crypto';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { keptMs } from '../../kernel/retention.ts';

/** The least lately seen are forgotten first. */
const MOST = 40;
const NOTE: Statement = {
  name: 'accounts-note-signals',
  text: `insert into browser_signals (user_id, mac, seen_at) select $1, unnest($2::bytea[]), $3
    on conflict (user_id, mac) do update set seen_at = excluded.seen_at`,
};
const TRIM: Statement = {
  name: 'accounts-trim-signals',
  text: `delete from browser_signals s using (
      select user_id, mac from browser_signals where user_id = $1 order by seen_at desc offset $2) old
    where s.user_id = old.user_id and s.mac = old.mac`,
};
const PURGE: Statement = { name: 'accounts-purge-signals', text: 'delete from browser_signals where seen_at <= $1' };
const FORGET: Statement = { name: 'accounts-forget-signals', text: 'delete from browser_signals where user_id = $1' };

/** Notes the browser of somebody who logs in, by the tokens that its cookie holds from now on: those of other accounts on it, too. */
export async function noteBrowser(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  tx: Executor,
  userId: string,
  tokens: readonly string[],
): Promise<void> {
  const key = config.deriveKey('browser signals');
  const macs = [...new Set(tokens)].map((token) => createHmac('sha256', key).update(token).digest());
  await tx.run(NOTE, [userId, macs, clock.now()]);
  await tx.run(TRIM, [userId, MOST]);
}

/** Forgets what was not seen for so long. */
export async function purgeSignals({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await db.run(PURGE, [new Date(clock.now().getTime() - keptMs('browserSignals'))]);
}

/** Forgets every signal of an account. */
export async function forgetSignals(tx: Executor, userId: string): Promise<void> {
  await tx.run(FORGET, [userId]);
}
