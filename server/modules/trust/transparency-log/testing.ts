import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createPaidDeposit } from '../../commerce/deposits/testing.ts';
import { makeReadyPicture } from '../../content/media/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import type { CheckReport } from '../../ledger/ledger-checks/index.ts';
import { seedMessage } from '../../messaging/chat/testing.ts';

export { calculateRootFromProof } from './merkle.ts';
export { verifyJournal } from './verify.ts';

export type TransparencyFixture = {
  readonly test: TestApp;
  readonly fan: TestUser;
  readonly creator: TestUser;
  readonly sales: { firstTip: string; lastTip: string; post: string; message: string };
};

async function postAs(user: TestUser, url: string, body: object): Promise<{ transactionId: string }> {
  const response = await user.inject('POST', url, body, { 'idempotency-key': randomUUID() });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

export async function tipCreator(fan: TestUser, creator: TestUser, amount: number, note = ''): Promise<string> {
  const body = { amount, type: 'profile', note };
  return (await postAs(fan, `/api/tip/customer-send/${creator.id}`, body)).transactionId;
}

export async function createFixture(): Promise<TransparencyFixture> {
  const test = await createTestApp();
  const [fan, creator] = await Promise.all([test.signUp('customer'), test.signUp('creator')]);
  await createPaidDeposit(test, fan, 100);
  const tick = () => test.clock.advance(1_000);
  tick();
  const firstTip = await tipCreator(fan, creator, 5, 'For the garden');
  const postId = await makePost(test.ctx, creator.id, { priceCents: 1_200 });
  tick();
  const post = (await postAs(fan, `/api/post/unlock/${postId}`, { price: 12 })).transactionId;
  const sides = { creatorId: creator.id, fanId: fan.id };
  const { conversationId } = await seedMessage(test.ctx, sides, { from: 'fan', text: 'Hello' });
  const mediaIds = [await makeReadyPicture(test.ctx, creator.id)];
  const sent = await creator.inject('POST', '/api/message/media', { conversationId, mediaIds, price: 9 });
  expect(sent.statusCode, sent.body).toBe(200);
  tick();
  const { transactionId: message } = await postAs(fan, `/api/message/purchase-chat-media/${sent.json().data.id}`, {
    price: 9,
  });
  tick();
  const lastTip = await tipCreator(fan, creator, 7);
  await test.ctx.events.waitUntilIdle();
  return { test, fan, creator, sales: { firstTip, post, message, lastTip } };
}

/** Runs statements as superuser with all triggers off. `$1` is `value`. */
export async function tamper({ owner }: TestApp, statements: readonly string[], value?: unknown): Promise<void> {
  const client = await owner.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    for (const statement of statements) {
      const { rowCount } = await client.query(statement, statement.includes('$1') ? [value] : []);
      expect(rowCount, statement).toBeGreaterThan(0);
    }
    await client.query('commit');
  } finally {
    await client.query('rollback');
    client.release();
  }
}

export function listWrong({ checks }: CheckReport): Record<string, string[]> {
  return Object.fromEntries(checks.filter(({ wrong }) => wrong.length > 0).map(({ name, wrong }) => [name, wrong]));
}
