/**
 * A world of conversations: pairs with paid files, a creator with messages from many fans, a very long thread, and
 * followers for broadcasts.
 */
import { randomUUID } from 'node:crypto';
import { runSql } from '../../server/kernel/db.ts';
import { settleDatabase, withDatabase } from '../harness/database.ts';
import type { Stage } from '../harness/stage.ts';
import type { Emits } from '../servers/emits.ts';
import { cookieLine, fundFans, makeCreators, makeFans, personId, personIdSql } from './people.ts';

export const PAIRS = 20;
const CROWD_FROM = 100;
/**
 * The creators after the pairs: one with a long thread, two with many and few conversations, two with many and few
 * followers.
 */
const [LONG, BUSY, CALM, WIDE, NARROW] = [20, 21, 22, 23, 24];
const CREATORS = 25;
const CREATOR_SESSIONS = 1_000_000;
const CALM_CONVERSATIONS = 10;

const id = (kind: 'c' | 'd' | 'e', n: number) => `01900000-0000-7000-${kind}000-${String(n).padStart(12, '0')}`;
const idSql = (kind: 'c' | 'd' | 'e', n: string) =>
  `('01900000-0000-7000-${kind}000-' || lpad((${n})::text, 12, '0'))::uuid`;
export const talkId = (n: number): string => id('c', n);
export const paidId = (n: number, k: number): string => id('d', n * 100_000 + k);
export const pictureId = (n: number): string => id('e', n);
export const creatorCookie = (n: number): string => cookieLine(CREATOR_SESSIONS + n);

export type Talks = {
  url: string;
  paid: number;
  conversations: number;
  calmConversations: number;
  messages: number;
  followers: number;
  fewFollowers: number;
  threadId: string;
  cookies: { thread: string; busy: string; calm: string; wide: string; narrow: string };
  crowd(n: number): number;
};

const conversation = (more = '') =>
  `insert into conversations (id, creator_id, fan_id, state, last_seq, creator_at, fan_at, created_at${more})`;
const message = `insert into messages (conversation_id, seq, id, sender_id, client_id, is_from_creator, type, text, price_cents, created_at)`;

function pairsSql(paid: number): string {
  const [fan, creator] = [personIdSql('fan', 'n'), personIdSql('creator', 'n')];
  return `
    insert into media (id, owner_id, status, byte_size, content_type, width, height, webp_widths, jpeg_width, thumbhash, preview_thumbhash,
        preview_height, used_at, finished_at)
      select ${idSql('e', 'n')}, ${creator}, 'ready', 2400000, 'image/jpeg', 3000, 2000, array[96,384,640,1080,1920], 1080,
        'HBkSHYSIeHiPiHh8eJd4eTN0EEQG', 'HBkSHYSIeHiPiHh8eJd4eTN0EEQG', 427, now(), now() from generate_series(0, ${PAIRS - 1}) n;
    ${conversation()} select ${idSql('c', 'n')}, ${creator}, ${fan}, 'open', ${paid}, now(), now(), now() from generate_series(0, ${PAIRS - 1}) n;
    insert into chat_bonds (fan_id, creator_id, since) select ${fan}, ${creator}, now() from generate_series(0, ${PAIRS - 1}) n;
    ${message} select ${idSql('c', 'n')}, k + 1, ${idSql('d', 'n * 100000 + k')}, ${creator}, gen_random_uuid(), true, 'image', 'Fresh from the kiln', 500,
        now() from generate_series(0, ${PAIRS - 1}) n, generate_series(0, ${paid - 1}) k;
    insert into chat_attachments (holder_id, position, media_id) select ${idSql('d', 'n * 100000 + k')}, 0, ${idSql('e', 'n')}
      from generate_series(0, ${PAIRS - 1}) n, generate_series(0, ${paid - 1}) k`;
}

function inboxSql(creator: number, conversations: number): string {
  const at = `now() - interval '1 second' * n`;
  const talk = idSql('c', `${creator} * 1000000 + n`);
  const fan = personIdSql('fan', `${CROWD_FROM} + n`);
  return `
    ${conversation(', creator_unread')} select ${talk}, ${personIdSql('creator', String(creator))}, ${fan}, 'open', 1, ${at}, ${at}, ${at}, 1
      from generate_series(0, ${conversations - 1}) n;
    ${message} select ${talk}, 1, uuidv7(interval '-1 second' * n), ${fan}, gen_random_uuid(), false, 'text', 'Good evening, is the blue bowl still there?', 0, ${at}
      from generate_series(0, ${conversations - 1}) n`;
}

function threadSql(messages: number): string {
  const [fan, creator] = [personIdSql('fan', String(LONG)), personIdSql('creator', String(LONG))];
  return `
    ${conversation()} select '${id('c', LONG)}', ${creator}, ${fan}, 'open', ${messages}, now(), now(), now();
    ${message} select '${id('c', LONG)}', n, uuidv7(interval '-1 second' * (${messages} - n)), case when n % 2 = 0 then ${creator} else ${fan} end,
        gen_random_uuid(), n % 2 = 0, 'text', 'Line ' || n || ' of a long conversation about glazes and firings', 0, now() - interval '1 second' * (${messages} - n)
      from generate_series(1, ${messages}) n`;
}

const followSql = (creator: number, followers: number) => `
  insert into follows (fan_id, creator_id, created_at) select ${personIdSql('fan', `${CROWD_FROM} + n`)}, ${personIdSql('creator', String(creator))},
    now() - interval '1 day' from generate_series(0, ${followers - 1}) n;
  update creators set follower_count = ${followers} where user_id = ${personIdSql('creator', String(creator))}`;

export async function makeTalks(stage: Stage): Promise<Talks> {
  const { isQuick } = stage.options;
  const many = isQuick ? 3_000 : 100_000;
  const paid = isQuick ? 50 : 200;
  const fewFollowers = 1_000;
  stage.tell(`making ${many.toLocaleString('en')} conversations, messages and followers`);
  const url = await stage.postgres.migrated('talks');
  await withDatabase(url, async (db) => {
    await makeFans(db, CROWD_FROM + many);
    await makeCreators(db, CREATORS);
    await fundFans(db, PAIRS);
    await runSql(
      db,
      `insert into sessions (user_id, token_hash, device, display_mode, expires_at)
         select ${personIdSql('creator', 'n')}, sha256(convert_to('bench' || lpad((${CREATOR_SESSIONS} + n)::text, 38, '0'), 'UTF8')), 'Bench', 'browser',
           now() + interval '7 days' from generate_series(0, ${CREATORS - 1}) n`,
    );
    await runSql(db, pairsSql(paid));
    await runSql(db, inboxSql(BUSY, many));
    await runSql(db, inboxSql(CALM, CALM_CONVERSATIONS));
    await runSql(db, threadSql(many));
    await runSql(db, followSql(WIDE, many));
    await runSql(db, followSql(NARROW, fewFollowers));
    await runSql(
      db,
      `create schema bench;
       create table bench.messages (id uuid primary key default uuidv7(), conversation_id uuid not null, sender_id uuid not null, client_id uuid not null,
         text text not null, created_at timestamptz not null default now());
       create index on bench.messages (conversation_id, id);
       truncate outbox`,
    );
  });
  await settleDatabase(url);
  return {
    url,
    paid,
    conversations: many,
    calmConversations: CALM_CONVERSATIONS,
    messages: many,
    followers: many,
    fewFollowers,
    threadId: id('c', LONG),
    cookies: {
      thread: cookieLine(LONG),
      busy: creatorCookie(BUSY),
      calm: creatorCookie(CALM),
      wide: creatorCookie(WIDE),
      narrow: creatorCookie(NARROW),
    },
    crowd: (n) => CROWD_FROM + n,
  };
}

export const TEXT =
  'The kiln is open: six bowls, two of them blue. Tell me which one you would like, and I put it aside.';

export function anEvent(): Pick<Emits, 'text' | 'payload'> {
  const payload = [
    {
      revision: 1,
      id: paidId(0, 0),
      conversationId: talkId(0),
      clientId: randomUUID(),
      seq: 1,
      ownerType: 'creator',
      ownerId: personId('creator', 0),
      createdAt: new Date().toISOString(),
      status: 'sent',
      type: 'text',
      text: TEXT,
      media: [],
      documents: [],
      voice: null,
      pendingMedia: 0,
      price: 0,
      isPurchased: false,
      purchasedAt: null,
      isViewOnce: false,
      viewedAt: null,
      isRemoved: false,
      tip: null,
      call: null,
      broadcastId: null,
    },
  ];
  return { payload, text: `42${JSON.stringify(['RECEIVE_MESSAGE', payload])}` };
}
