/** What creators can do with tiers that have subscribers. */
import type { TierBody } from '@stagedoor/contract/content/subscription-tiers.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { createTestTier, MONTHLY_TIER, subscribeTo } from './testing.ts';

const URL = '/api/creator/subscription-tiers';
let test: TestApp;
let creator: TestUser;

beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  creator = await test.signUp('creator');
});

const update = (user: TestUser, id: string, body: TierBody) => user.inject('PUT', `${URL}/${id}`, body);
const view = (user: Pick<TestUser, 'inject'>) => user.inject('GET', `/api/public/subscription-tiers/${creator.id}`);

async function signUpFan(cents = 50_000): Promise<TestUser> {
  const fan = await test.signUp('customer');
  await createDeposit(test.ctx.db, fan.id, cents);
  return fan;
}

describe('a tier with subscribers', () => {
  it('cannot change from free to paid or back', async () => {
    const free: TierBody = { ...MONTHLY_TIER, prices: { weekly: null, monthaly: null, yearly: null } };
    const id = await createTestTier(creator, free);
    expect((await update(creator, id, MONTHLY_TIER)).statusCode).toBe(200);
    expect((await subscribeTo(await signUpFan(), id)).statusCode).toBe(200);
    expect((await update(creator, id, free)).json().code).toBe('CONFLICT');
  });

  it('accepts no new subscribers when it is closed or full, and existing ones stay', async () => {
    const id = await createTestTier(creator, { slots: 1 });
    const fans = await Promise.all([signUpFan(), signUpFan()]);
    const responses = await Promise.all(fans.map((fan) => subscribeTo(fan, id)));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect((await view(creator)).json().tiers).toMatchObject([{ slotsLeft: 0, isOpen: true }]);
    await update(creator, id, { ...MONTHLY_TIER, slots: 5, isOpen: false });
    expect((await subscribeTo(await signUpFan(), id)).json().code).toBe('CONFLICT');
    expect((await creator.inject('GET', URL)).json().tiers).toMatchObject([{ subscriberCount: 1, isOpen: false }]);
  });

  it('cannot be subscribed to after it is deleted', async () => {
    const id = await createTestTier(creator);
    await creator.inject('DELETE', `${URL}/${id}`);
    expect((await subscribeTo(await signUpFan(), id)).json().code).toBe('CONFLICT');
  });

  it('shows visitors the tiers, and a fan their own subscription too', async () => {
    const id = await createTestTier(creator, { trialDays: 7 });
    expect((await view(test)).json()).toMatchObject({
      canHaveTrial: true,
      subscription: null,
      tiers: [{ id, trialDays: 7 }],
    });
    const fan = await signUpFan();
    expect((await subscribeTo(fan, id, { today: 0 })).statusCode).toBe(200);
    expect((await view(fan)).json()).toMatchObject({
      canHaveTrial: false,
      subscription: { tierId: id, isRenewing: true },
    });
    expect((await view(test)).body).not.toContain('subscriberCount');
  });
});
