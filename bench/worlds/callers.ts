import { runSql } from '../../server/kernel/db.ts';
import { settleDatabase, withDatabase } from '../harness/database.ts';
import type { Stage } from '../harness/stage.ts';
import { cookieLine, fundFans, makeCreators, makeFans, personId, personIdSql } from './people.ts';

const CREATOR_SESSIONS = 500_000;

export type Pair = { fanCookie: string; creatorCookie: string; creatorId: string };

const cookieIn = (line: string) => line.slice('cookie: '.length);

export function pairOf(n: number): Pair {
  return {
    fanCookie: cookieIn(cookieLine(n)),
    creatorCookie: cookieIn(cookieLine(CREATOR_SESSIONS + n)),
    creatorId: personId('creator', n),
  };
}

export async function callers({ postgres }: Stage, pairs: number): Promise<string> {
  const url = await postgres.migrated('callers');
  await withDatabase(url, async (db) => {
    await makeFans(db, pairs);
    await makeCreators(db, pairs);
    await fundFans(db, pairs);
    await runSql(
      db,
      `insert into sessions (user_id, token_hash, device, display_mode, expires_at)
         select ${personIdSql('creator', 'n')}, sha256(convert_to('bench' || lpad((${CREATOR_SESSIONS} + n)::text, 38, '0'), 'UTF8')),
           'Bench', 'browser', now() + interval '7 days' from generate_series(0, ${pairs - 1}) as n;
       insert into call_terms (creator_id, video_rate_cents) select ${personIdSql('creator', 'n')}, 300 from generate_series(0, ${pairs - 1}) as n;
       create schema bench;
       create table bench.messages (id uuid primary key default uuidv7(), conversation_id uuid not null, sender_id uuid not null,
         client_id uuid not null, text text not null, created_at timestamptz not null default now());
       truncate outbox`,
    );
  });
  await settleDatabase(url);
  return url;
}
