import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { buildSaleFields, createProcessorId, postWebhook } from '../../../commerce/ccbill/testing.ts';
import { createOrder } from '../../../commerce/deposits/testing.ts';
import { purgeFingerprints } from '../../../identity/accounts/testing.ts';

const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  creator = await app.signUp('creator');
});
afterAll(() => app.close());

const signUpFan = () => app.signUp('customer', { createdAt: app.clock.now() });

async function logIn({ username, password }: TestUser, device = ''): Promise<string> {
  const response = await app.inject(
    'POST',
    '/api/auth/login',
    { username, password },
    { 'x-forwarded-for': '198.51.100.7', ...(device !== '' && { cookie: `device=${device}` }) },
  );
  expect(response.statusCode).toBe(200);
  return response.cookies.find(({ name }) => name === 'device')?.value ?? '';
}
const follow = (fan: TestUser, forCreator: TestUser = creator) =>
  fan.inject('POST', `/api/customer/follow/${forCreator.id}`, { isFollowed: true });
const block = (fan: TestUser, forCreator: TestUser = creator) =>
  forCreator.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked: true });
const listHints = async (ids: string[], forCreator: TestUser = creator) =>
  (await forCreator.inject('GET', `/api/creator/ban-evasion-hints?ids=${ids.join()}`)).json().ids;

const CARD = { bin: '411111', last4: '4417', expDate: '1230' };
async function pay(fan: TestUser, card: Partial<typeof CARD>): Promise<number> {
  const id = createProcessorId();
  const fields = { ...buildSaleFields(app, await createOrder(app, fan, 20), id), ...card };
  if (!('last4' in card)) delete fields.last4;
  expect(await postWebhook(app, 'NewSaleSuccess', fields)).toBe(200);
  const rows = await app.ctx.db.query
    .selectFrom('account_fingerprints')
    .select('mac')
    .where('user_id', '=', fan.id)
    .execute();
  expect(rows.some(({ mac }) => ['4417', '411111'].some((part) => mac.toString('latin1').includes(part)))).toBe(false);
  return rows.length;
}

async function createReturningFan() {
  const former = await signUpFan();
  const browser = await logIn(former);
  await follow(former);
  await block(former);
  app.clock.advance(60_000);
  const fresh = await signUpFan();
  const after = await logIn(fresh, browser);
  await follow(fresh);
  return { former, fresh, browser: after };
}

test('a new account in a blocked user’s browser is flagged, and only to the creator who blocked', async () => {
  const { fresh } = await createReturningFan();
  expect(await listHints([fresh.id])).toEqual([fresh.id]);
  const other = await app.signUp('creator');
  await follow(fresh, other);
  expect(await listHints([fresh.id], other)).toEqual([]);
  const asFan = await fresh.inject('GET', `/api/creator/ban-evasion-hints?ids=${fresh.id}`);
  expect(asFan.statusCode).toBe(403);
});

test('a new account with a blocked user’s card is flagged, unless the card details are incomplete', async () => {
  const former = await signUpFan();
  expect(await pay(former, CARD)).toBe(1);
  await follow(former);
  await block(former);
  app.clock.advance(60_000);
  const [fresh, other, unknown] = [await signUpFan(), await signUpFan(), await signUpFan()];
  for (const one of [fresh, other, unknown]) await follow(one);
  expect(await pay(fresh, CARD)).toBe(1);
  expect(await pay(other, { ...CARD, expDate: '0131' })).toBe(1);
  expect(await pay(unknown, { last4: CARD.last4, bin: CARD.bin })).toBe(0);
  expect(await listHints([fresh.id, other.id, unknown.id])).toEqual([fresh.id]);
  const { raw } = await app.ctx.db.query
    .selectFrom('processor_webhooks')
    .select((row) => row.fn<string>('string_agg', [row.cast<string>('fields', 'text'), row.val(' ')]).as('raw'))
    .executeTakeFirstOrThrow();
  for (const part of [CARD.bin, CARD.expDate]) expect(raw).not.toContain(`"${part}"`);
});

test('a shared network alone does not flag an account', async () => {
  const former = await signUpFan();
  await logIn(former);
  await follow(former);
  await block(former);
  app.clock.advance(60_000);
  const neighbour = await signUpFan();
  await logIn(neighbour);
  await follow(neighbour);
  expect(await listHints([neighbour.id])).toEqual([]);
});

test('an account that is older than the block is not flagged', async () => {
  const [former, sibling] = [await signUpFan(), await signUpFan()];
  const browser = await logIn(former);
  await logIn(sibling, browser);
  await follow(sibling);
  app.clock.advance(60_000);
  await follow(former);
  await block(former);
  expect(await listHints([sibling.id])).toEqual([]);
});

test('an account that never contacted the creator is not flagged', async () => {
  const former = await signUpFan();
  const browser = await logIn(former);
  await follow(former);
  await block(former);
  app.clock.advance(60_000);
  const stranger = await signUpFan();
  await logIn(stranger, browser);
  expect(await listHints([stranger.id])).toEqual([]);
  await follow(stranger);
  expect(await listHints([stranger.id])).toEqual([stranger.id]);
});

test('a flag restricts nothing and ends with the block', async () => {
  const { former, fresh } = await createReturningFan();
  expect((await fresh.inject('GET', `/api/public/profile/${creator.id}`)).statusCode).toBe(200);
  await creator.inject('POST', `/api/message/block-unblock-customer/${former.id}`, { isBlocked: false });
  expect(await listHints([fresh.id])).toEqual([]);
});

test('stored fingerprints do not reveal the browser and are purged in time', async () => {
  const { fresh, browser } = await createReturningFan();
  const rows = await app.ctx.db.query
    .selectFrom('account_fingerprints')
    .selectAll()
    .where('user_id', '=', fresh.id)
    .execute();
  expect(rows.length).toBe(2);
  for (const token of browser.split('.'))
    expect(rows.some(({ mac }) => mac.includes(Buffer.from(token)) || mac.toString('base64url') === token)).toBe(false);
  app.clock.advance(181 * DAY_MS);
  await purgeFingerprints(app.ctx);
  expect(await app.ctx.db.query.selectFrom('account_fingerprints').select('user_id').execute()).toEqual([]);
});
