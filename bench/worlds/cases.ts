/**
 * Creates few or very many moderation cases with the same number of accounts. The number of open cases is the same in
 * both sizes.
 */
import { runSql } from '../../server/kernel/db.ts';
import { settleDatabase, withDatabase } from '../harness/database.ts';
import type { Stage } from '../harness/stage.ts';
import { makeCreators, makeFans, personId, personIdSql } from './people.ts';

/** The same number of open cases in both sizes, so that their pages show the same. */
const OPEN = 500;
/**
 * The number of cases about the named user, and of cases by them, enough to fill a page of search results. All other
 * cases are about and by different users, so that pages of both sizes name equally many.
 */
const OF_NAMED = 50;
const OPERATOR = '01900000-0000-7000-9000-000000000001';
const TOKEN = 'desk'.padEnd(43, '0');
const NAMED = 3;

export const OPERATOR_COOKIE = `cookie: sid=${TOKEN}; loggedIn=true`;

const caseIdSql = (n: string, total: number) =>
  `(regexp_replace(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 31536000000 + ${n}::bigint * ${Math.floor(31_536_000_000 / total)}), 12, '0'), '^(.{8})', '\\1-')
     || '-7000-8000-' || lpad(${n}::text, 12, '0'))::uuid`;

export type Desk = {
  url: string;
  cases: number;
  openCaseId: string;
  reference: string;
  name: string;
  personId: string;
};

export async function makeDesk(stage: Stage, cases: number): Promise<Desk> {
  stage.tell(`making ${cases.toLocaleString('en')} cases`);
  const apart = Math.floor(cases / OF_NAMED);
  const person = (place: number, n: string) =>
    personIdSql('fan', `case when n % ${apart} = ${place} then ${NAMED} else ${n} end`);
  const url = await stage.postgres.migrated(`desk_${cases}`);
  let [openCaseId, reference] = ['', ''];
  await withDatabase(url, async (db) => {
    await makeFans(db, cases);
    await runSql(
      db,
      `insert into users (id, type, username, email, name, password_hash, email_verified_at, two_factor_enabled_at, operator_roles)
         values ('${OPERATOR}', 'operator', 'desk', 'desk@example.com', 'Desk', '-', now(), now(), '{owner}');
       insert into sessions (user_id, token_hash, device, display_mode, expires_at)
         values ('${OPERATOR}', sha256(convert_to('${TOKEN}', 'UTF8')), 'Bench', 'browser', now() + interval '7 days');
       insert into cases (id, reference, kind, queue, state, opened_at, changed_at, due_at, closed_at, from_id, subject, subject_id, person_id, title,
           report_count, outcome)
         select id, 'SD-' || lpad(n::text, 8, '0'), 'report', 'reports', case when is_open then 'open' else 'closed' end, at, at, at + interval '3 days',
           case when not is_open then at + interval '2 days' end, ${person(5, `(n + ${cases / 2}) % ${cases}`)}, 'post', gen_random_uuid(),
           ${person(3, 'n')}, 'A post that is gone', 1, case when not is_open then 'dismiss' end
         from generate_series(0, ${cases - 1}) as n,
           lateral (select ${caseIdSql('n', cases)} as id) i, lateral (select uuid_extract_timestamp(id) as at, n >= ${cases - OPEN} as is_open) s;
       insert into case_entries (id, case_id, at, kind, by_id, body)
         select uuidv7(), id, opened_at, 'report', from_id, 'They write the same thing to everybody, and it is not theirs.' from cases`,
    );
    const { rows } = await db.pool.query<{ id: string; reference: string }>(
      `select id, reference from cases where state = 'open' order by due_at, id limit 1`,
    );
    [openCaseId, reference] = [rows[0]?.id ?? '', rows[0]?.reference ?? ''];
  });
  await settleDatabase(url);
  return { url, cases, openCaseId, reference, name: `fan${NAMED}`, personId: personId('fan', NAMED) };
}

/**
 * Fans with few and with very many blocked creators, by their number in {@link makeFans}. Both follow the same creators
 * as the rest of the crowd.
 */
export const APART = { few: { fan: 0, count: 10 }, many: { fan: 1, count: 10_000 } } as const;

/**
 * So many creators that ten thousand are a tenth of them. The bench measures the number of blocks, not how few creators
 * are left.
 */
const CREATORS = 100_000;

export async function makeApart(url: string): Promise<void> {
  await withDatabase(url, async (db) => {
    const { rows } = await db.pool.query<{ count: number }>('select count(*)::int as count from creators');
    await makeCreators(db, CREATORS, rows[0]?.count);
    for (const { fan, count } of Object.values(APART))
      await runSql(
        db,
        `insert into blocks (fan_id, creator_id, since) select '${personId('fan', fan)}', user_id, now() from creators
           where user_id not in (select creator_id from follows where fan_id = '${personId('fan', fan)}')
           order by md5(user_id::text) limit ${count}`,
      );
  });
}
