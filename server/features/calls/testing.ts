import { randomUUID } from 'node:crypto';
import type { CallSettings } from '@stagedoor/contract/calls.ts';
import { expect } from 'vitest';
import type { TestApp, TestUser } from '../../testing/app.ts';
import { checkLedger } from '../ledger/index.ts';
import { makeDeposit } from '../ledger/testing.ts';
import { comeOnline } from '../presence/index.ts';
import { passTime, SETTINGS } from './rehearsal.ts';

export { hear, writeHearings } from './clock/hearing.ts';
export { meter } from './clock/metering.ts';

export const RATE = 3;
export const [FAN_TAB, CREATOR_TAB] = ['tab-of-the-fan', 'tab-of-the-creator'];

export type Pair = { fan: TestUser; creator: TestUser };

export async function makePair(
  app: TestApp,
  { cents = 10_000, settings = {} }: { cents?: number; settings?: Partial<CallSettings> } = {},
): Promise<Pair> {
  const [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
  const createdAt = new Date('2020-01-01');
  await app.ctx.db.query.updateTable('creators').set({ chat_rule: 'open' }).where('user_id', '=', creator.id).execute();
  await app.owner.query
    .updateTable('creators')
    .set({ created_at: createdAt })
    .where('user_id', '=', creator.id)
    .execute();
  if (cents > 0) await makeDeposit(app.ctx.db, fan.id, cents, { at: app.clock.now() });
  const put = await creator.inject('PUT', '/api/creator/call-settings', { ...SETTINGS, ...settings });
  expect(put.statusCode, put.body).toBe(200);
  comeOnline(app.ctx, creator.id, 'creator', CREATOR_TAB);
  return { fan, creator };
}

export function start(
  { fan, creator }: Pair,
  { type = 'video', amountPerMinute = RATE, device = FAN_TAB, key = randomUUID() } = {},
) {
  const body = { creatorId: creator.id, type, amountPerMinute, device };
  return fan.inject('POST', '/api/call/start', body, { 'idempotency-key': key });
}

export async function offered(pair: Pair, wish?: Parameters<typeof start>[1]): Promise<string> {
  const answer = await start(pair, wish);
  expect(answer.json(), answer.body).toMatchObject({ reason: null, call: { status: 'calling' } });
  return answer.json().callLogId;
}

export function act(user: TestUser, verb: string, id: string, device?: string) {
  return user.inject('POST', `/api/call/${verb}/${id}`, device === undefined ? undefined : { device });
}

export async function connected(app: TestApp, pair: Pair, wish?: Parameters<typeof start>[1]): Promise<string> {
  const id = await offered(pair, wish);
  expect((await act(pair.creator, 'received', id, CREATOR_TAB)).statusCode).toBe(200);
  await passTime(app.ctx, (ms) => app.clock.advance(ms), id, 0);
  return id;
}

export function talk(app: TestApp, callId: string, ms: number): Promise<void> {
  return passTime(app.ctx, (step) => app.clock.advance(step), callId, ms);
}

export async function expectBooks(app: TestApp): Promise<void> {
  const { checks } = await checkLedger(app.ctx.db);
  expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
}

export async function rowOf(app: TestApp, id: string) {
  return app.ctx.db.query.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
