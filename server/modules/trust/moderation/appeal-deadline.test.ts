import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { createReportedCase, decideCaseAs } from './testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: new Date('2026-03-10T12:00:00Z') });
});
afterAll(() => app.close());

test('a decision can be appealed for exactly six months', async () => {
  const [operator, creator, fan] = [
    await app.signUp('operator'),
    await app.signUp('creator'),
    await app.signUp('customer'),
  ];
  const warn = async () => {
    const response = await decideCaseAs(operator, await createReportedCase(app, fan, { user: creator }), {
      action: 'warn',
    });
    expect(response.statusCode, response.body).toBe(200);
    const deadline = app.clock.now();
    deadline.setUTCMonth(deadline.getUTCMonth() + 6);
    app.clock.advance(60_000);
    return deadline;
  };
  const [first, second] = [await warn(), await warn()];
  app.clock.set(first);
  const loggedIn = await app.logIn(creator);
  const ownDecisions = (await loggedIn.inject('GET', '/api/helpdesk/decisions')).json().data;
  expect(ownDecisions.map(({ appealBy }: { appealBy: string | null }) => appealBy)).toEqual([
    second.toISOString(),
    null,
  ]);
  const appeal = async (id: string) =>
    (await loggedIn.inject('POST', `/api/helpdesk/decisions/${id}/appeal`, { message: 'It was my own.' })).statusCode;
  expect(await appeal(ownDecisions[1].id)).toBe(409);
  app.clock.set(new Date(second.getTime() - 1));
  expect(await appeal(ownDecisions[0].id)).toBe(200);
});
