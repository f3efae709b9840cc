import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { createDelegatedSession, joinTeam } from '../../identity/teams/testing.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { openTab } from '../../messaging/chat/testing.ts';

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.http.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

test('a team member with the figures right is notified of a tip while the creator is away', async () => {
  const [creator, member, fan] = await Promise.all([
    app.signUp('creator'),
    app.signUp('customer'),
    app.signUp('customer'),
  ]);
  await joinTeam(creator, member, ['figures']);
  await createDeposit(app.ctx.db, fan.id, 10_000);
  const tab = await openTab(port, (await createDelegatedSession(app, member, creator.id)).cookie);
  const tip = { amount: 10, type: 'profile' };
  const key = { 'idempotency-key': randomUUID() };
  const response = await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, tip, key);
  expect(response.statusCode, response.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
  await expect.poll(() => tab.listPayloads('EARNING_RECEIVED')).toHaveLength(1);
  tab.close();
});
