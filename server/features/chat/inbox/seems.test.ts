import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { purgeSignals } from '../../accounts/testing.ts';
import { order, postEvent, processorId, saleFields } from '../../payments/testing.ts';

const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  creator = await app.signUp('creator');
});
afterAll(() => app.close());

const person = () => app.signUp('customer', { createdAt: app.clock.now() });

async function logIn({ username, password }: TestUser, device = ''): Promise<string> {
  const answer = await app.inject(
    'POST',
    '/api/auth/login',
    { username, password },
    { 'x-forwarded-for': '198.51.100.7', ...(device !== '' && { cookie: `device=${device}` }) },
  );
  expect(answer.statusCode).toBe(200);
  return answer.cookies.find(({ name }) => name === 'device')?.value ?? '';
}
const follow = (fan: TestUser, who: TestUser = creator) =>
  fan.inject('POST', `/api/customer/follow/${who.id}`, { isFollowed: true });
const block = (fan: TestUser, who: TestUser = creator) =>
  who.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked: true });
const seem = async (ids: string[], who: TestUser = creator) =>
  (await who.inject('GET', `/api/creator/seem-blocked?ids=${ids.join()}`)).json().ids;

const CARD = { bin: '411111', last4: '4417', expDate: '1230' };
async function pay(fan: TestUser, card: Partial<typeof CARD>): Promise<number> {
  const id = processorId();
  const fields = { ...saleFields(app, await order(app, fan, 20), id), ...card };
  if (!('last4' in card)) delete fields.last4;
  expect(await postEvent(app, 'NewSaleSuccess', fields)).toBe(200);
  const rows = await app.ctx.db.query
    .selectFrom('account_signals')
    .select('mac')
    .where('user_id', '=', fan.id)
    .execute();
  expect(rows.some(({ mac }) => ['4417', '411111'].some((part) => mac.toString('latin1').includes(part)))).toBe(false);
  return rows.length;
}

async function returned() {
  const former = await person();
  const browser = await logIn(former);
  await follow(former);
  await block(former);
  app.clock.advance(60_000);
  const fresh = await person();
  const after = await logIn(fresh, browser);
  await follow(fresh);
  return { former, fresh, browser: after };
}

test('a new account in a blocked user’s browser is flagged, and only to the creator who blocked', async () => {
  const { fresh } = await returned();
  expect(await seem([fresh.id])).toEqual([fresh.id]);
  const other = await app.signUp('creator');
  await follow(fresh, other);
  expect(await seem([fresh.id], other)).toEqual([]);
  const asFan = await fresh.inject('GET', `/api/creator/seem-blocked?ids=${fresh.id}`);
  expect(asFan.statusCode).toBe(403);
});

test('a new account with a blocked user’s card is flagged, unless the card details are incomplete', async () => {
  const former = await person();
  expect(await pay(former, CARD)).toBe(1);
  await follow(former);
  await block(former);
  app.clock.advance(60_000);
  const [fresh, other, unknown] = [await person(), await person(), await person()];
  for (const one of [fresh, other, unknown]) await follow(one);
  expect(await pay(fresh, CARD)).toBe(1);
  expect(await pay(other, { ...CARD, expDate: '0131' })).toBe(1);
  expect(await pay(unknown, { last4: CARD.last4, bin: CARD.bin })).toBe(0);
  expect(await seem([fresh.id, other.id, unknown.id])).toEqual([fresh.id]);
  const { raw } = await app.ctx.db.query
    .selectFrom('processor_events')
    .select((row) => row.fn<string>('string_agg', [row.cast<string>('fields', 'text'), row.val(' ')]).as('raw'))
    .executeTakeFirstOrThrow();
  for (const part of [CARD.bin, CARD.expDate]) expect(raw).not.toContain(`"${part}"`);
});

test('a shared network alone does not flag an account', async () => {
  const former = await person();
  await logIn(former);
  await follow(former);
  await block(former);
  app.clock.advance(60_000);
  const neighbour = await person();
  await logIn(neighbour);
  await follow(neighbour);
  expect(await seem([neighbour.id])).toEqual([]);
});

test('an account that is older than the block is not flagged', async () => {
  const [former, sibling] = [await person(), await person()];
  const browser = await logIn(former);
  await logIn(sibling, browser);
  await follow(sibling);
  app.clock.advance(60_000);
  await follow(former);
  await block(former);
  expect(await seem([sibling.id])).toEqual([]);
});

test('an account that never contacted the creator is not flagged', async () => {
  const former = await person();
  const browser = await logIn(former);
  await follow(former);
  await block(former);
  app.clock.advance(60_000);
  const stranger = await person();
  await logIn(stranger, browser);
  expect(await seem([stranger.id])).toEqual([]);
  await follow(stranger);
  expect(await seem([stranger.id])).toEqual([stranger.id]);
});

test('a flag restricts nothing and ends with the block', async () => {
  const { former, fresh } = await returned();
  expect((await fresh.inject('GET', `/api/public/profile/${creator.id}`)).statusCode).toBe(200);
  await creator.inject('POST', `/api/message/block-unblock-customer/${former.id}`, { isBlocked: false });
  expect(await seem([fresh.id])).toEqual([]);
});

test('stored signals do not reveal the browser and are purged in time', async () => {
  const { fresh, browser } = await returned();
  const rows = await app.ctx.db.query
    .selectFrom('account_signals')
    .selectAll()
    .where('user_id', '=', fresh.id)
    .execute();
  expect(rows.length).toBe(2);
  for (const token of browser.split('.'))
    expect(rows.some(({ mac }) => mac.includes(Buffer.from(token)) || mac.toString('base64url') === token)).toBe(false);
  app.clock.advance(181 * DAY_MS);
  await purgeSignals(app.ctx);
  expect(await app.ctx.db.query.selectFrom('account_signals').select('user_id').execute()).toEqual([]);
});
