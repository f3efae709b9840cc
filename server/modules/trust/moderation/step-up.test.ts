import type { CaseAction } from '@stagedoor/contract/trust/case-kinds.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makePost } from '../../content/posts/testing.ts';
import { createReportedCase, decideCaseAs } from './testing.ts';

let app: TestApp;
let creator: TestUser;
let fan: TestUser;
let moderator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { ADMIN_STEP_UP_MINUTES: '15' } });
});
beforeEach(async () => {
  [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  moderator = await app.signUp('operator', { roles: ['moderator'] });
});
afterAll(() => app.close());

const expireStepUp = () => app.clock.advance(16 * 60_000);
const report = () => createReportedCase(app, fan, { user: creator });
const toDecision = (action: CaseAction) => ({
  action,
  ...(['limitChat', 'limitPosting', 'limitPayouts', 'suspend'].includes(action) && { days: 7 }),
});
const getState = async (id: string) => (await moderator.inject('GET', `/api/admin/cases/${id}`)).json().state;
const undo = (by: TestUser, id: string) =>
  by.inject('POST', `/api/admin/case-decisions/${id}/undo`, { reason: 'We were wrong.' });
const STEP_UP_REQUIRED = [403, '/admin/step-up'];

test.each(['block', 'suspend', 'limitPayouts'] as const)(
  '%s requires a recent proof of identity, also to reverse it or to overturn it by an appeal',
  async (action) => {
    const id = await report();
    expireStepUp();
    const refused = await decideCaseAs(moderator, id, toDecision(action));
    expect([refused.statusCode, refused.json().href]).toEqual(STEP_UP_REQUIRED);
    expect(await getState(id)).not.toBe('closed');

    const freshLogin = await app.logIn(moderator);
    const decided = (await decideCaseAs(freshLogin, id, toDecision(action))).json();
    expect(decided.state).toBe('closed');
    const [decision] = decided.decisions;

    const second = await app.signUp('operator', { roles: ['moderator'] });
    expireStepUp();
    const refusedUndo = await undo(second, decision.id);
    expect([refusedUndo.statusCode, refusedUndo.json().href]).toEqual(STEP_UP_REQUIRED);
    if (action === 'limitPayouts') {
      const appeal = { message: 'It was my own work.' };
      await creator.inject('POST', `/api/helpdesk/decisions/${decision.id}/appeal`, appeal);
      const [appealed] = (await second.inject('GET', '/api/admin/cases?queue=appeals')).json().data;
      const overturn = () => decideCaseAs(second, appealed.id, { action: 'overturn' });
      const refusedOverturn = await overturn();
      expect([refusedOverturn.statusCode, refusedOverturn.json().href]).toEqual(STEP_UP_REQUIRED);
      expect((await decideCaseAs(second, appealed.id, { action: 'uphold' })).statusCode).toBe(200);
    }
    expect((await undo(await app.logIn(second), decision.id)).statusCode).toBe(200);
  },
);

test.each(['dismiss', 'warn', 'limitChat', 'limitPosting'] as const)(
  '%s requires no proof of identity',
  async (action) => {
    const id = await report();
    expireStepUp();
    const decided = await decideCaseAs(moderator, id, toDecision(action));
    expect(decided.statusCode).toBe(200);
    const [decision] = decided.json().decisions;
    expect((await undo(moderator, decision.id)).statusCode).toBe(200);
  },
);

test.each(['hide', 'remove'] as const)('%s of a post requires no proof of identity', async (action) => {
  const typeId = await makePost(app.ctx, creator.id, { caption: 'Moon jar' });
  const id = await createReportedCase(app, fan, { user: creator, type: 'post', typeId });
  expireStepUp();
  const decided = await decideCaseAs(moderator, id, { action });
  expect(decided.statusCode).toBe(200);
  expect((await undo(moderator, decided.json().decisions[0].id)).statusCode).toBe(200);
});

test('a decision outside of the operator’s roles is refused without step-up', async () => {
  const support = await app.signUp('operator', { roles: ['support'] });
  const id = await report();
  expireStepUp();
  const refused = await decideCaseAs(support, id, toDecision('block'));
  expect([refused.statusCode, refused.json().href]).toEqual([expect.toBeOneOf([403, 404]), undefined]);
});
