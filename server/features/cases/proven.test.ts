import type { CaseAct } from '@stagedoor/contract/case-kinds.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { makePost } from '../posts/testing.ts';
import { decideIt, reportedCase } from './testing.ts';

let app: TestApp;
let creator: TestUser;
let fan: TestUser;
let moderator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { OPERATOR_PROOF_MINUTES: '15' } });
});
beforeEach(async () => {
  [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  moderator = await app.signUp('operator', { roles: ['moderator'] });
});
afterAll(() => app.close());

const later = () => app.clock.advance(16 * 60_000);
const report = () => reportedCase(app, fan, { person: creator });
const wishOf = (act: CaseAct) => ({
  act,
  ...(['limitChat', 'limitPosting', 'limitPayouts', 'suspend'].includes(act) && { days: 7 }),
});
const stateOf = async (id: string) => (await moderator.inject('GET', `/api/admin/cases/${id}`)).json().state;
const undo = (by: TestUser, id: string) =>
  by.inject('POST', `/api/admin/case-decisions/${id}/undo`, { ground: 'We were wrong.' });
const UNPROVEN = [403, '/admin/prove'];

test.each(['block', 'suspend', 'limitPayouts'] as const)(
  '%s requires a recent proof of identity, also to reverse it or to overturn it by an appeal',
  async (act) => {
    const id = await report();
    later();
    const refused = await decideIt(moderator, id, wishOf(act));
    expect([refused.statusCode, refused.json().href]).toEqual(UNPROVEN);
    expect(await stateOf(id)).not.toBe('closed');

    const proven = await app.logIn(moderator);
    const decided = (await decideIt(proven, id, wishOf(act))).json();
    expect(decided.state).toBe('closed');
    const [decision] = decided.decisions;

    const second = await app.signUp('operator', { roles: ['moderator'] });
    later();
    const kept = await undo(second, decision.id);
    expect([kept.statusCode, kept.json().href]).toEqual(UNPROVEN);
    if (act === 'limitPayouts') {
      const appeal = { message: 'It was my own work.' };
      await creator.inject('POST', `/api/helpdesk/decisions/${decision.id}/appeal`, appeal);
      const [appealed] = (await second.inject('GET', '/api/admin/cases?queue=appeals')).json().data;
      const overturn = () => decideIt(second, appealed.id, { act: 'overturn' });
      const unproven = await overturn();
      expect([unproven.statusCode, unproven.json().href]).toEqual(UNPROVEN);
      expect((await decideIt(second, appealed.id, { act: 'uphold' })).statusCode).toBe(200);
    }
    expect((await undo(await app.logIn(second), decision.id)).statusCode).toBe(200);
  },
);

test.each(['dismiss', 'warn', 'limitChat', 'limitPosting'] as const)(
  '%s requires no proof of identity',
  async (act) => {
    const id = await report();
    later();
    const decided = await decideIt(moderator, id, wishOf(act));
    expect(decided.statusCode).toBe(200);
    const [decision] = decided.json().decisions;
    expect((await undo(moderator, decision.id)).statusCode).toBe(200);
  },
);

test.each(['hide', 'remove'] as const)('%s of a post requires no proof of identity', async (act) => {
  const typeId = await makePost(app.ctx, creator.id, { caption: 'Moon jar' });
  const id = await reportedCase(app, fan, { person: creator, type: 'post', typeId });
  later();
  const decided = await decideIt(moderator, id, { act });
  expect(decided.statusCode).toBe(200);
  expect((await undo(moderator, decided.json().decisions[0].id)).statusCode).toBe(200);
});

test('an operator whose role does not include a decision is refused and not asked for a proof', async () => {
  const support = await app.signUp('operator', { roles: ['support'] });
  const id = await report();
  later();
  const refused = await decideIt(support, id, wishOf('block'));
  expect([refused.statusCode, refused.json().href]).toEqual([expect.toBeOneOf([403, 404]), undefined]);
});
