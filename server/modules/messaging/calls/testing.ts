import { randomUUID } from 'node:crypto';
import type { CallSettings } from '@stagedoor/contract/messaging/calls.ts';
import { expect } from 'vitest';
import type { TestApp, TestUser } from '../../../testing/app.ts';
import { addOnlineDevice } from '../../identity/presence/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { SAMPLE_CALL_SETTINGS, simulateCallTime } from './simulation.ts';

export { recordCallHeartbeat, writeHeartbeats } from './clock/heartbeats.ts';
export { meterCalls } from './clock/metering.ts';

export const RATE_USD = 3;
export const [FAN_DEVICE, CREATOR_DEVICE] = ['tab-of-the-fan', 'tab-of-the-creator'];

export type CallPair = { fan: TestUser; creator: TestUser };

export async function createCallPair(
  app: TestApp,
  { cents = 10_000, settings = {} }: { cents?: number; settings?: Partial<CallSettings> } = {},
): Promise<CallPair> {
  const [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
  const createdAt = new Date('2020-01-01');
  await app.ctx.db.query.updateTable('creators').set({ chat_rule: 'open' }).where('user_id', '=', creator.id).execute();
  await app.owner.query
    .updateTable('creators')
    .set({ created_at: createdAt })
    .where('user_id', '=', creator.id)
    .execute();
  if (cents > 0) await createDeposit(app.ctx.db, fan.id, cents, { at: app.clock.now() });
  const saved = await creator.inject('PUT', '/api/creator/call-settings', { ...SAMPLE_CALL_SETTINGS, ...settings });
  expect(saved.statusCode, saved.body).toBe(200);
  addOnlineDevice(app.ctx, creator.id, 'creator', CREATOR_DEVICE);
  return { fan, creator };
}

export function startTestCall(
  { fan, creator }: CallPair,
  { type = 'video', amountPerMinute = RATE_USD, device = FAN_DEVICE, key = randomUUID() } = {},
) {
  const body = { creatorId: creator.id, type, amountPerMinute, device };
  return fan.inject('POST', '/api/call/start', body, { 'idempotency-key': key });
}

export async function offerTestCall(pair: CallPair, options?: Parameters<typeof startTestCall>[1]): Promise<string> {
  const response = await startTestCall(pair, options);
  expect(response.json(), response.body).toMatchObject({ reason: null, call: { status: 'calling' } });
  return response.json().callLogId;
}

export function actOnCall(user: TestUser, action: string, id: string, device?: string) {
  return user.inject('POST', `/api/call/${action}/${id}`, device === undefined ? undefined : { device });
}

export async function connectTestCall(
  app: TestApp,
  pair: CallPair,
  options?: Parameters<typeof startTestCall>[1],
): Promise<string> {
  const id = await offerTestCall(pair, options);
  expect((await actOnCall(pair.creator, 'received', id, CREATOR_DEVICE)).statusCode).toBe(200);
  await simulateCallTime(app.ctx, (ms) => app.clock.advance(ms), id, 0);
  return id;
}

export function talkInCall(app: TestApp, callId: string, ms: number): Promise<void> {
  return simulateCallTime(app.ctx, (step) => app.clock.advance(step), callId, ms);
}

export async function expectCleanLedger(app: TestApp): Promise<void> {
  const { checks } = await checkLedger(app.ctx.db);
  expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
}

export async function getCallRow(app: TestApp, id: string) {
  return app.ctx.db.query.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
