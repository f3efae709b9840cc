import { randomBytes } from 'node:crypto';
import { runSql } from '../../server/kernel/db.ts';
import { settleDatabase, withDatabase } from '../harness/database.ts';
import type { Stage } from '../harness/stage.ts';
import { cookieLine, makeCreators, makeFans, makeSessions, personIdSql } from './people.ts';

const FILE_BYTES = 200_000;

const idSql = (kind: 'c' | 'd' | 'e', n: string) =>
  `('01900000-0000-7000-${kind}000-' || lpad((${n})::text, 12, '0'))::uuid`;
const mediumId = (n: number) => `01900000-0000-7000-e000-${String(n).padStart(12, '0')}`;

export type Keepers = {
  url: string;
  cookies: string[];
  files: Iterable<{ key: string; bytes: Buffer }>;
};

const ownSql = (n: number, messages: number, pictures: number, first: number) => `
  insert into conversations (id, creator_id, fan_id, state, last_seq, creator_at, fan_at, created_at)
    select ${idSql('c', String(n))}, ${personIdSql('creator', String(n))}, ${personIdSql('fan', String(n))}, 'open', ${messages}, now(), now(), now();
  insert into messages (conversation_id, seq, id, sender_id, client_id, is_from_creator, type, text, price_cents, created_at)
    select ${idSql('c', String(n))}, k, uuidv7(interval '-1 minute' * (${messages} - k)), case when k % 2 = 0 then ${personIdSql('creator', String(n))} else ${personIdSql('fan', String(n))} end,
      gen_random_uuid(), k % 2 = 0, 'text', 'The kiln is at four hundred and climbing, message ' || k, 0, now() from generate_series(1, ${messages}) k;
  insert into media (id, owner_id, status, byte_size, content_type, file_name, width, height, webp_widths, jpeg_width, thumbhash, preview_thumbhash, preview_height,
      created_at, finished_at)
    select ${idSql('e', `${first} + k`)}, ${personIdSql('creator', String(n))}, 'ready', ${FILE_BYTES}, 'image/jpeg', 'DSC_' || k || '.jpg', 1200, 1500, '{1080}', 1080,
      'HBkSHYSIeHiPiHh8eJd4eTN0EEQG', 'HBkSHYSIeHiPiHh8eJd4eTN0EEQG', 427, now(), now() from generate_series(0, ${pictures - 1}) k`;

export async function makeKeepers(stage: Stage, count: number, messages: number, pictures: number): Promise<Keepers> {
  stage.tell(
    `making ${messages.toLocaleString('en')} messages and ${pictures.toLocaleString('en')} pictures for each of ${count}`,
  );
  const url = await stage.postgres.migrated('keeper');
  await withDatabase(url, async (db) => {
    await makeFans(db, count);
    await makeCreators(db, count);
    await makeSessions(db, 'creator', count);
    for (let n = 0; n < count; n += 1) await runSql(db, ownSql(n, messages, pictures, n * pictures));
  });
  await settleDatabase(url);
  function* files() {
    for (let n = 0; n < count * pictures; n += 1)
      yield { key: `private/m/${mediumId(n)}/1080.webp`, bytes: randomBytes(FILE_BYTES) };
  }
  const cookies = Array.from({ length: count }, (_, n) => cookieLine(n, 'creator'));
  return { url, cookies, files: files() };
}
