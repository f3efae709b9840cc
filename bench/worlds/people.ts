/**
 * Creates users in bulk, inserted directly into the tables: fans with sessions and funds, and creators with profiles.
 */
import { AGREEMENT_VERSION } from '../../server/features/verification/door.testing.ts';
import { type Database, runSql } from '../../server/kernel/db.ts';

/** The id of the n-th user, a valid UUIDv7 that both SQL and the load generator can calculate. */
export function personId(kind: 'fan' | 'creator', n: number): string {
  return `01900000-0000-7000-${kind === 'fan' ? 'a' : 'b'}000-${String(n).padStart(12, '0')}`;
}

export function personIdSql(kind: 'fan' | 'creator', n: string): string {
  return `('01900000-0000-7000-${kind === 'fan' ? 'a' : 'b'}000-' || lpad((${n})::text, 12, '0'))::uuid`;
}

const TOKENS = { fan: 'bench', creator: 'made' } as const;

/** The cookie header line of the n-th user. The bench uses plain HTTP, so the cookie has its plain name. */
export function cookieLine(n: number, kind: keyof typeof TOKENS = 'fan'): string {
  return `cookie: sid=${TOKENS[kind]}${String(n).padStart(43 - TOKENS[kind].length, '0')}; loggedIn=true`;
}

export async function makeSessions(db: Database, kind: keyof typeof TOKENS, count: number): Promise<void> {
  const token = `'${TOKENS[kind]}' || lpad(n::text, ${43 - TOKENS[kind].length}, '0')`;
  await runSql(
    db,
    `insert into sessions (user_id, token_hash, device, display_mode, expires_at)
       select ${personIdSql(kind, 'n')}, sha256(convert_to(${token}, 'UTF8')), 'Bench', 'browser', now() + interval '7 days'
       from generate_series(0, ${count - 1}) as n`,
  );
}

export async function makeFans(db: Database, count: number): Promise<void> {
  await runSql(
    db,
    `insert into users (id, type, username, email, name, password_hash, email_verified_at)
       select ${personIdSql('fan', 'n')}, 'customer', 'fan' || n, 'fan' || n || '@example.com', 'Fan ' || n, '-', now()
       from generate_series(0, ${count - 1}) as n`,
  );
  await makeSessions(db, 'fan', count);
}

export async function makeCreators(db: Database, count: number, from = 0): Promise<void> {
  await runSql(
    db,
    `insert into users (id, type, username, email, name, password_hash, email_verified_at)
       select ${personIdSql('creator', 'n')}, 'creator', 'creator' || n, 'creator' || n || '@example.com', 'Mirele Achterberg ' || n, '-', now()
       from generate_series(${from}, ${count - 1}) as n;
     insert into creators (user_id, craft, city, bio, category, is_verified, verified_name, follower_count)
       select ${personIdSql('creator', 'n')}, 'Ceramicist', 'Porto',
         'I throw, glaze and fire in a studio by the river. New work on Fridays, kiln openings twice a month, and the failures too.',
         (array['Music', 'Ceramics', 'Dance', 'Photography', 'Kitchen', 'Strength', 'Paper & print', 'Film'])[n % 8 + 1], n % 3 = 0, case when n % 3 = 0 then 'Mirele Achterberg ' || n end, (n * 7919) % 10000
       from generate_series(${from}, ${count - 1}) as n;
     insert into verifications (creator_id, status, submitted_at, decided_at, agreement_version, signed_at)
       select ${personIdSql('creator', 'n')}, 'verified', now(), now(), '${AGREEMENT_VERSION}', now()
       from generate_series(${from}, ${count - 1}) as n`,
  );
}

/** Gives fans 0…n−1 a deposit through the ledger's own function, and a daily limit that a bench does not reach. */
export async function fundFans(db: Database, count: number): Promise<void> {
  await runSql(
    db,
    `do $$ begin
       perform ledger_post('deposit',
           array['asset:processor:ccbill:clearing', 'liab:fan:' || ${personIdSql('fan', 'n')} || ':wallet'],
           array[90000000, -90000000]::bigint[], p_provider => 'ccbill', p_event => 'bench-' || n)
         from generate_series(0, ${count - 1}) as n;
       update ledger_accounts set day_limit_cents = 100000000 where code like 'liab:fan:%:wallet';
     end $$`,
  );
}
