/** The journeys' database, for what has no page yet: an operator's acts, and months that went by. Journeys about money never write here. */
import path from 'node:path';
import type { OperatorRole } from '@stagedoor/contract/operator-rights.ts';
import pg from 'pg';
import { AGREEMENT_VERSION, OPEN_DOOR } from '../../server/features/verification/door.testing.ts';
import { postgresUrl } from '../../server/kernel/postgres.ts';

async function run(text: string, values: readonly unknown[]): Promise<number> {
  const dataDir = process.env.STAGEDOOR_DATA_DIR;
  if (!dataDir) throw new Error('the global set-up has not started the server');
  const client = new pg.Client({ connectionString: postgresUrl(path.join(dataDir, 'postgres')) });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** Blocks an account, as an operator does. */
export async function blockAccount(username: string): Promise<void> {
  await run('update users set is_blocked = true where username = $1', [username]);
}

/** Lets a creator sell, as an operator's decision and their own signature do. */
export async function openDoor(userId: string): Promise<void> {
  await run(OPEN_DOOR, [userId, AGREEMENT_VERSION]);
}

/** Gives a creator the tick, as an operator does who has looked at their name. */
export async function giveTick(username: string): Promise<void> {
  await run(
    'update creators set is_verified = true, verified_name = (select name from users where id = user_id) where user_id = (select id from users where username = $1)',
    [username],
  );
}

/** As if the terms that somebody agreed to were older ones than those in force; answers whether they had agreed to any. */
export async function ageAgreement(username: string): Promise<boolean> {
  const aged = await run(
    "update policy_agreements set version = '2026-01-01' where user_id = (select id from users where username = $1)",
    [username],
  );
  return aged > 0;
}

/** Makes an account an operator's, as whoever runs the platform does. Its session is to begin anew. */
export async function makeOperator(username: string, roles: readonly OperatorRole[] = ['owner']): Promise<void> {
  await run("update users set type = 'operator', operator_roles = $2 where username = $1", [username, roles]);
}

/**
 * Months of somebody's work in one statement: `count` copies of a free post, one an hour before it, each named by its number
 * ("Number 17", the latest is 1), in the timeline of a fan who follows its creator.
 */
export async function copyPost(postId: string, count: number, fanName: string): Promise<void> {
  await run(
    `with made as (
      insert into posts (id, creator_id, type, caption, price_cents, media_count, media_facts, created_at)
        select uuidv7(p.created_at - n * interval '1 hour' - clock_timestamp()), p.creator_id, p.type,
          'Number ' || n || E'\\n' || repeat('A line about it that may be long or short. ', n % 7), 0, p.media_count, p.media_facts,
          p.created_at - n * interval '1 hour'
        from posts p, generate_series(1, $2::int) n where p.id = $1 returning id, creator_id, type
    )
    insert into timelines (fan_id, post_id, creator_id, type) select u.id, m.id, m.creator_id, m.type from made m, users u where u.username = $3::citext`,
    [postId, count, fanName],
  );
}

/** As if somebody had logged in half an hour ago, and used it since. */
export async function ageLogin(username: string): Promise<void> {
  await run(
    "update sessions set created_at = created_at - interval '30 minutes', proven_at = proven_at - interval '30 minutes' where user_id = (select id from users where username = $1)",
    [username],
  );
}
