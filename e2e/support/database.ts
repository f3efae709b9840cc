/**
 * Direct database access for tests: initial accounts, and changes without an interface, such as operator actions or
 * past months. Tests about money never write here.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import pg from 'pg';
import {
  AGREEMENT_VERSION,
  MAKE_ELIGIBLE_SQL,
} from '../../server/modules/compliance/verification/eligibility.testing.ts';
import { termsOfService } from '../../server/modules/trust/legal/texts/terms-of-service.ts';
import { toPostgresUrl } from '../../server/platform/postgres/postgres.ts';
import { createToken, hashToken } from '../../server/platform/security/session.ts';

const pools = new Map<string, pg.Pool>();

function getPool(): pg.Pool {
  const dataDir = process.env.STAGEDOOR_DATA_DIR;
  if (!dataDir) throw new Error('the global set-up has not started the server');
  const cached = pools.get(dataDir);
  if (cached) return cached;
  const pool = new pg.Pool({
    connectionString: toPostgresUrl(path.join(dataDir, 'postgres')),
    max: 2,
    allowExitOnIdle: true,
  });
  // An idle connection fails when a test stops its server. The next query opens another one.
  pool.on('error', () => undefined);
  pools.set(dataDir, pool);
  return pool;
}

async function execute(text: string, values: readonly unknown[]): Promise<number> {
  return (await getPool().query(text, [...values])).rowCount ?? 0;
}

async function withTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await getPool().connect();
  let error: unknown;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (caught) {
    error = caught;
    throw caught;
  } finally {
    client.release(error !== undefined);
  }
}

/** `Stagedoor1!` with the lowest cost that argon2id allows, so that logging in is fast. */
const PASSWORD_HASH = '$argon2id$v=19$m=8,t=1,p=1$oMoBhscnnl8q9PGoAHMckQ$MW0N1O2QgENdIGcXmmZqYRfIP54qUwq0UAADEgUi8yc';

const INSERT_USER = `with created as (
    insert into users (type, username, email, name, password_hash, email_verified_at, consented_at)
      values ($1, $2, $3, $4, $5, now(), now()) returning id
  ), agreed as (
    insert into policy_agreements (user_id, policy, version, source, agreed_at, text_hash)
      select id, 'terms-of-service', $6::date, 'signUp', now(), (
        select hash from policy_texts where policy = 'terms-of-service' and version = $6::date order by agreed_since desc limit 1)
      from created
  )
  select id from created`;

function termsVersion(): string {
  const today = new Date().toISOString().slice(0, 10);
  const { versions } = termsOfService;
  return (versions.findLast(({ version }) => version <= today) ?? versions[0]).version;
}

/**
 * Creates an account as a sign-up with a confirmed address does, with the common test password. It emits no events, so
 * a referred account has to sign up through the API.
 */
export function insertAccount(account: {
  type: 'customer' | 'creator';
  username: string;
  email: string;
  canSell: boolean;
}): Promise<string> {
  const { type, username, email, canSell } = account;
  return withTransaction(async (client) => {
    const values = [type, username, email, username, PASSWORD_HASH, termsVersion()];
    const { rows } = await client.query<{ id: string }>(INSERT_USER, values);
    const id = rows[0]?.id;
    if (id === undefined) throw new Error(`no account was created for ${username}`);
    if (type === 'creator') await client.query('insert into creators (user_id) values ($1)', [id]);
    if (canSell) await client.query(MAKE_ELIGIBLE_SQL, [id, AGREEMENT_VERSION]);
    return id;
  });
}

/** Creates a session from a browser that the account knows from now on. Returns the values of the browser's cookies. */
export async function insertSession(userId: string, device: string): Promise<{ sid: string; device: string }> {
  const [sid, deviceToken] = [createToken(), randomBytes(32).toString('base64url')];
  await execute(
    `with begun as (
       insert into sessions (user_id, token_hash, device, display_mode, expires_at)
         values ($1, $2, $3, 'browser', now() + interval '90 days')
     )
     insert into known_devices (user_id, token_hash, seen_at) values ($1, $4, now())`,
    [userId, hashToken(sid), device, hashToken(deviceToken)],
  );
  return { sid, device: deviceToken };
}

export async function blockAccount(username: string): Promise<void> {
  await execute('update users set is_blocked = true where username = $1', [username]);
}

export async function enableSelling(userId: string): Promise<void> {
  await execute(MAKE_ELIGIBLE_SQL, [userId, AGREEMENT_VERSION]);
}

/** Makes the accepted terms older than those in force. Returns whether the user had accepted any. */
export async function outdateAgreement(username: string): Promise<boolean> {
  const rowCount = await execute(
    "update policy_agreements set version = '2026-01-01' where user_id = (select id from users where username = $1)",
    [username],
  );
  return rowCount > 0;
}

/**
 * Makes an account an operator and ends its sessions. `hasSecondFactor` enables two-factor authentication without
 * codes.
 */
export async function makeOperator(
  username: string,
  roles: readonly OperatorRole[] = ['owner'],
  { hasSecondFactor = false } = {},
): Promise<void> {
  await execute(
    `with operator as (
       update users set type = 'operator', operator_roles = $2, two_factor_enabled_at = case when $3 then now() end
         where username = $1 returning id
     )
     delete from sessions using operator where user_id = operator.id`,
    [username, roles, hasSecondFactor],
  );
}

/** Creates the code with which an operator sets up two-factor authentication. */
export async function createStaffCode(username: string): Promise<string> {
  const code = randomBytes(6)
    .toString('hex')
    .replace(/(?=(?:.{4})+$)(?!^)/g, '-');
  await execute(
    `insert into mail_tokens (token_hash, user_id, purpose, email, expires_at)
       select $2, id, 'staff', email, now() + interval '1 hour' from users where username = $1`,
    [username, hashToken(code)],
  );
  return code;
}

export async function runScheduledJob(name: string): Promise<void> {
  await execute('select graphile_worker.add_job($1)', [name]);
}

/**
 * Copies a free post `count` times, at intervals of one hour and named by number ("Number 17", the latest is 1), into the
 * timeline of a fan who follows its creator.
 */
export async function copyPost(postId: string, count: number, fanName: string): Promise<void> {
  await execute(
    `with made as (
      insert into posts (id, creator_id, type, caption, price_cents, media_count, media_metadata, created_at)
        select uuidv7(p.created_at - n * interval '1 hour' - clock_timestamp()), p.creator_id, p.type,
          'Number ' || n || E'\\n' || repeat('A line about it that may be long or short. ', n % 7), 0, p.media_count, p.media_metadata,
          p.created_at - n * interval '1 hour'
        from posts p, generate_series(1, $2::int) n where p.id = $1 returning id, creator_id, type
    )
    insert into timelines (fan_id, post_id, creator_id, type) select u.id, m.id, m.creator_id, m.type from made m, users u where u.username = $3::citext`,
    [postId, count, fanName],
  );
}

/** Makes a log-in half an hour old, with recent activity. */
export async function ageLogin(username: string): Promise<void> {
  await execute(
    "update sessions set created_at = created_at - interval '30 minutes', step_up_at = step_up_at - interval '30 minutes' where user_id = (select id from users where username = $1)",
    [username],
  );
}
