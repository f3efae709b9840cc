import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { formatSecurityTxt } from './security-txt.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { PUBLIC_URL: 'https://stage.example' }, now: new Date('2026-11-30T10:00:00Z') });
});
afterAll(() => app.close());

test('security.txt names a contact, its own address and an expiry within a year', async () => {
  const { body, headers, statusCode } = await app.inject('GET', '/.well-known/security.txt');
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toBe(
    `Contact: https://stage.example/contact-us
Expires: 2027-05-29T00:00:00.000Z
Preferred-Languages: en
Canonical: https://stage.example/.well-known/security.txt
`,
  );
});

test('security.txt names the address of the company first', () => {
  expect(formatSecurityTxt('https://stage.example', 'help@stage.example', new Date(0))).toMatch(
    /^Contact: mailto:help@stage\.example\nContact: https:/,
  );
});
