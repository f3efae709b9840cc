import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';

const DAY_MS = 24 * 60 * 60_000;
let app: TestApp;
beforeAll(async () => {
  // The factor allows two tickets a day.
  app = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.1' }, now: new Date('2026-03-10T12:00:00Z') });
});
afterAll(() => app.close());

test('opening a ticket and writing in one share a daily limit', async () => {
  const fan = await app.signUp('customer');
  const openTicket = async () => {
    const ticket = { subject: 'A payment', message: 'It is missing.', pictures: [] };
    return fan.inject('POST', '/api/helpdesk/tickets', ticket);
  };
  const replyToTicket = async (id: string) => {
    const response = await fan.inject('POST', `/api/helpdesk/tickets/${id}/messages`, {
      message: 'Still.',
      pictures: [],
    });
    return response.statusCode;
  };
  const { id } = (await openTicket()).json();
  expect(await replyToTicket(id)).toBe(200);
  expect([await replyToTicket(id), (await openTicket()).statusCode]).toEqual([429, 429]);
  app.clock.advance(DAY_MS - 1);
  expect([await replyToTicket(id), (await openTicket()).statusCode]).toEqual([429, 429]);
  app.clock.advance(1);
  expect([(await openTicket()).statusCode, (await openTicket()).statusCode, await replyToTicket(id)]).toEqual([
    200, 200, 429,
  ]);
});
