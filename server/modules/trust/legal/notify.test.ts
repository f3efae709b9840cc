import type { PolicyKey } from '@stagedoor/contract/trust/legal.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { blockAccount } from '../../identity/accounts/index.ts';
import { notifyNewVersions } from './notify.ts';
import { POLICIES } from './texts/index.ts';
import type { Policy, Version } from './texts/text.ts';

let test: TestApp;
let users: TestUser[];
let creator: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  users = [];
  for (let index = 0; index < 5; index += 1) users.push(await test.signUp('customer'));
  creator = await test.signUp('creator');
});
afterAll(() => test.close());

const dayAfter = (days: number) => new Date(test.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

function addVersion(key: PolicyKey, changes: Partial<Version>): Readonly<Record<PolicyKey, Policy>> {
  const policy = POLICIES[key];
  const [first] = policy.versions;
  return { ...POLICIES, [key]: { ...policy, versions: [first, { ...first, ...changes }] } };
}
const listNotifications = async (user: TestUser) => {
  await test.ctx.events.waitUntilIdle();
  const { data } = (await user.inject('GET', '/api/notifications')).json();
  return data.filter(({ kind }: { kind: string }) => kind === 'policy') as {
    text: string;
    detail: string;
    href: string;
  }[];
};

it('first versions and versions before their day are not announced', async () => {
  const version = dayAfter(2);
  expect(await notifyNewVersions(test.ctx)).toBe(false);
  expect(await notifyNewVersions(test.ctx, addVersion('privacy-policy', { version, changes: 'Less is kept.' }))).toBe(
    false,
  );
  expect(await test.ctx.db.query.selectFrom('policy_notice_runs').selectAll().execute()).toEqual([]);
});

it('a new version is announced once to every earlier user, page by page, in the app and by mail', async () => {
  await test.app.start();
  const version = dayAfter(2);
  const policies = addVersion('privacy-policy', { version, changes: 'Less is kept, and for less long.' });
  const [blocked] = users.slice(-1);
  await blockAccount(test.ctx, blocked?.id ?? '', 'Spam');
  test.clock.advance(2 * 86_400_000 + 60_000);
  const late = await test.signUp('customer');
  const send = vi.spyOn(test.ctx.mailer, 'send');

  // Five users are to be notified in pages of two, and two concurrent runs count as one.
  const pages: boolean[] = [];
  for (let page = 0; page < 4; page += 1) {
    await Promise.all([notifyNewVersions(test.ctx, policies, 2), notifyNewVersions(test.ctx, policies, 2)]);
    pages.push(
      (await test.ctx.db.query.selectFrom('policy_notice_runs').select('done_at').executeTakeFirstOrThrow()).done_at ===
        null,
    );
  }
  expect(pages.at(-1)).toBe(false);
  for (let attempt = 0; attempt < 2; attempt += 1) expect(await notifyNewVersions(test.ctx, policies, 2)).toBe(false);

  const mails = send.mock.calls.map(([, mail]) => mail);
  expect(mails.map(({ to }) => to).toSorted()).toEqual(
    [...users.slice(0, -1), creator].map(({ email }) => email).toSorted(),
  );
  expect(mails[0]?.subject).toBe('Updated: Privacy policy');
  expect(mails[0]?.text).toContain('What changed: Less is kept, and for less long.');
  expect(mails[0]?.text).toContain(`/privacy-policy?version=${version}`);
  for (const user of [...users.slice(0, -1), creator])
    expect(await listNotifications(user)).toMatchObject([
      {
        text: 'Updated: Privacy policy',
        detail: 'Less is kept, and for less long.',
        href: `/privacy-policy?version=${version}`,
      },
    ]);
  expect(await listNotifications(late)).toEqual([]);
  send.mockRestore();
});

it('a new creator agreement is announced to creators only', async () => {
  const version = dayAfter(1);
  const policies = addVersion('creator-agreement', { version, changes: 'Payouts go out daily.' });
  test.clock.advance(86_400_000 + 60_000);
  const send = vi.spyOn(test.ctx.mailer, 'send');
  while (await notifyNewVersions(test.ctx, policies)) expect(true).toBe(true);
  expect(send.mock.calls.map(([, { to }]) => to)).toEqual([creator.email]);
  send.mockRestore();
});
