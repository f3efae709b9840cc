import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { decideIt, reportedCase } from './testing.ts';

const DAY_MS = 24 * 60 * 60_000;
let app: TestApp;
beforeAll(async () => {
  // The factor allows two tickets a day.
  app = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.1' }, now: new Date('2026-03-10T12:00:00Z') });
});
afterAll(() => app.close());

test('opening a ticket and writing in one share a daily limit', async () => {
  const fan = await app.signUp('customer');
  const open = async () => {
    const ticket = { subject: 'A payment', message: 'It is missing.', pictures: [] };
    return fan.inject('POST', '/api/helpdesk/tickets', ticket);
  };
  const goOn = async (id: string) => {
    const answer = await fan.inject('POST', `/api/helpdesk/tickets/${id}/messages`, {
      message: 'Still.',
      pictures: [],
    });
    return answer.statusCode;
  };
  const { id } = (await open()).json();
  expect(await goOn(id)).toBe(200);
  expect([await goOn(id), (await open()).statusCode]).toEqual([429, 429]);
  app.clock.advance(DAY_MS - 1);
  expect([await goOn(id), (await open()).statusCode]).toEqual([429, 429]);
  app.clock.advance(1);
  expect([(await open()).statusCode, (await open()).statusCode, await goOn(id)]).toEqual([200, 200, 429]);
});

test('a decision can be appealed for exactly six months', async () => {
  const [operator, creator, fan] = [
    await app.signUp('operator'),
    await app.signUp('creator'),
    await app.signUp('customer'),
  ];
  const warn = async () => {
    const answer = await decideIt(operator, await reportedCase(app, fan, { person: creator }), { act: 'warn' });
    expect(answer.statusCode, answer.body).toBe(200);
    const by = app.clock.now();
    by.setUTCMonth(by.getUTCMonth() + 6);
    app.clock.advance(60_000);
    return by;
  };
  const [first, second] = [await warn(), await warn()];
  app.clock.set(first);
  const back = await app.logIn(creator);
  const own = (await back.inject('GET', '/api/helpdesk/decisions')).json().data;
  expect(own.map(({ appealBy }: { appealBy: string | null }) => appealBy)).toEqual([second.toISOString(), null]);
  const appeal = async (id: string) =>
    (await back.inject('POST', `/api/helpdesk/decisions/${id}/appeal`, { message: 'It was my own.' })).statusCode;
  expect(await appeal(own[1].id)).toBe(409);
  app.clock.set(new Date(second.getTime() - 1));
  expect(await appeal(own[0].id)).toBe(200);
});
