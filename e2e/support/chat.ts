import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { toPostgresUrl } from '../../server/platform/postgres/postgres.ts';
import { type ApiClient, callApi, expect } from './fixtures.ts';

export async function fetchUserId(context: ApiClient): Promise<string> {
  return (await callApi<{ id: string }>(context, 'GET', '/auth/user')).id;
}

type SentMessage = { conversationId: string };

type ChatUser = { context: ApiClient };

/** Sends and accepts a fan's request. Returns the conversation id. */
export async function startConversation(fan: ChatUser, creator: ChatUser, text = 'Good evening.'): Promise<string> {
  const receiverId = await fetchUserId(creator.context);
  const body = { receiverId, text, clientId: randomUUID() };
  const { data } = await callApi<{ data: SentMessage }>(fan.context, 'POST', '/message/text', body);
  const customerId = await fetchUserId(fan.context);
  await callApi(creator.context, 'POST', `/message/conversation-response/${customerId}`, { status: 'accept' });
  return data.conversationId;
}

export async function sendTextMessage(context: ApiClient, conversationId: string, text: string): Promise<void> {
  await callApi(context, 'POST', '/message/text', { conversationId, text, clientId: randomUUID() });
}

export async function openThread(page: Page, role: 'fan' | 'creator', conversationId: string): Promise<void> {
  await page.goto(`/${role}/chat/${conversationId}`);
  await waitForThread(page);
}

/** Waits until the thread is at its initial position and accepts input. */
export async function waitForThread(page: Page): Promise<void> {
  await expect(page.locator('.conv__scroll')).toBeVisible();
}

export const getBubbles = (page: Page) => page.locator('.conv__scroll .msg');
export const getMessageField = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

export async function typeMessage(page: Page, text: string): Promise<void> {
  await getMessageField(page).click();
  await getMessageField(page).fill(text);
  await getMessageField(page).press('Enter');
}

async function withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const dataDir = process.env.STAGEDOOR_DATA_DIR;
  if (!dataDir) throw new Error('the global set-up has not started the server');
  const client = new pg.Client({ connectionString: toPostgresUrl(path.join(dataDir, 'postgres')) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function fillThread(conversationId: string, count: number): Promise<void> {
  await withDatabase(async (client) => {
    await client.query(
      `with c as (select * from conversations where id = $1)
       insert into messages (conversation_id, seq, id, sender_id, client_id, is_from_creator, type, text, created_at)
       select c.id, c.last_seq + n, uuidv7(), case when n % 3 = 0 then c.creator_id else c.fan_id end, gen_random_uuid(), n % 3 = 0, 'text',
         'Message ' || n || repeat(' and a few words more', (n * 7 % 11)::int), now() - make_interval(mins => ($2 - n)::int)
       from c, generate_series(1::bigint, $2::bigint) n`,
      [conversationId, count],
    );
    await client.query(
      `update conversations set last_seq = last_seq + $2, creator_read_seq = last_seq + $2, fan_read_seq = last_seq + $2,
         creator_delivered_seq = last_seq + $2, fan_delivered_seq = last_seq + $2, creator_listed_at = now(), fan_listed_at = now(), creator_unread = 0, fan_unread = 0
       where id = $1`,
      [conversationId, count],
    );
  });
}

export async function fillInbox(creatorId: string, count: number): Promise<void> {
  const tag = randomUUID().slice(0, 8);
  await withDatabase(async (client) => {
    await client.query(
      `insert into users (id, type, username, email, password_hash, name, created_at, email_verified_at)
       select uuidv7(), 'customer', 'f.' || $1 || '.' || n, $1 || '.' || n || '@example.org', 'none', 'Fan ' || n, now(), now()
       from generate_series(1, $2::int) n`,
      [tag, count],
    );
    await client.query(
      `insert into conversations (id, creator_id, fan_id, state, last_seq, creator_listed_at, fan_listed_at, created_at)
       select uuidv7(), $1, u.id, 'open', 1, now() - make_interval(secs => row_number() over (order by u.id desc)),
         now() - make_interval(secs => row_number() over (order by u.id desc)), now()
       from users u where u.username like 'f.' || $2 || '.%'`,
      [creatorId, tag],
    );
    await client.query(
      `insert into messages (conversation_id, seq, id, sender_id, client_id, is_from_creator, type, text, created_at)
       select c.id, 1, uuidv7(), c.fan_id, gen_random_uuid(), false, 'text', 'Hello from ' || u.name, c.creator_listed_at
       from conversations c join users u on u.id = c.fan_id where c.creator_id = $1 and u.username like 'f.' || $2 || '.%'`,
      [creatorId, tag],
    );
  });
}
