/**
 * Keyed hashes of device cookies and payment cards recognize a user who opens another account. Networks are not used
 * because households share them.
 */
import { createHmac } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { getRetentionMs } from '../../../platform/retention.ts';

const MAX_FINGERPRINTS = 40;
const STORE_FINGERPRINTS: SqlStatement = {
  name: 'accounts-store-fingerprints',
  text: `insert into account_fingerprints (user_id, mac, seen_at) select u.id, m.mac, $3 from users u, unnest($2::bytea[]) m (mac)
    where u.id = $1 and not u.is_erasing
    on conflict (user_id, mac) do update set seen_at = excluded.seen_at`,
};
const TRIM: SqlStatement = {
  name: 'accounts-trim-fingerprints',
  text: `delete from account_fingerprints s using (
      select user_id, mac from account_fingerprints where user_id = $1 order by seen_at desc offset $2) old
    where s.user_id = old.user_id and s.mac = old.mac`,
};
const PURGE: SqlStatement = {
  name: 'accounts-purge-fingerprints',
  text: 'delete from account_fingerprints where seen_at <= $1',
};
const FORGET: SqlStatement = {
  name: 'accounts-delete-fingerprints',
  text: 'delete from account_fingerprints where user_id = $1',
};

type FingerprintContext = Pick<Context, 'config' | 'clock'>;

/** `keyName` separates browsers from cards, so that equal values do not match. */
async function storeFingerprints(
  { config, clock }: FingerprintContext,
  tx: Executor,
  {
    userId,
    keyName,
    values,
  }: { userId: string; keyName: 'browser fingerprints' | 'card fingerprints'; values: readonly string[] },
): Promise<void> {
  const key = config.deriveKey(keyName);
  const macs = [...new Set(values)].map((value) => createHmac('sha256', key).update(value).digest());
  await tx.run(STORE_FINGERPRINTS, [userId, macs, clock.now()]);
  await tx.run(TRIM, [userId, MAX_FINGERPRINTS]);
}

/** The browser's tokens of other accounts are stored too. */
export function storeBrowserFingerprints(
  context: FingerprintContext,
  tx: Executor,
  userId: string,
  tokens: readonly string[],
): Promise<void> {
  return storeFingerprints(context, tx, { userId, keyName: 'browser fingerprints', values: tokens });
}

/** Stores nothing for an account that is being erased. */
export function storeCardFingerprint(
  context: FingerprintContext,
  tx: Executor,
  userId: string,
  card: string,
): Promise<void> {
  return storeFingerprints(context, tx, { userId, keyName: 'card fingerprints', values: [card] });
}

export async function purgeFingerprints({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await db.run(PURGE, [new Date(clock.now().getTime() - getRetentionMs('accountFingerprints'))]);
}

export async function deleteFingerprints(tx: Executor, userId: string): Promise<void> {
  await tx.run(FORGET, [userId]);
}
