import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { listWaiting } from './names.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

let made = 0;
const fresh = (name: string) => `${name} ${String.fromCodePoint(0x4e00 + made++)}`;

async function verified(name: string): Promise<TestUser> {
  const creator = await test.signUp('creator', { name });
  await test.ctx.db.query
    .updateTable('creators')
    .set({ is_verified: true, verified_name: name })
    .where('user_id', '=', creator.id)
    .execute();
  return creator;
}

const edit = (creator: TestUser, name: string) =>
  creator.inject('PUT', '/api/creator/profile', { name, category: null, craft: 'Cello' });
async function bySettings(creator: TestUser, name: string) {
  const data = new FormData();
  data.set('name', name);
  const request = new Request('http://localhost/', { method: 'POST', body: data });
  const type = request.headers.get('content-type') ?? '';
  const body = Buffer.from(await request.arrayBuffer());
  return creator.inject('POST', '/api/customer/profile-update', body, { 'content-type': type });
}
const shown = async (creator: TestUser) => {
  const { name, isVerified } = (await test.inject('GET', `/api/public/profile/${creator.id}`)).json();
  return { name, isVerified };
};
const told = async (creator: TestUser) => (await creator.inject('GET', '/api/creator/profile')).json().nameReview;

async function run(...words: string[]): Promise<string> {
  const cli = fileURLToPath(new URL('./names-cli.ts', import.meta.url));
  const env = { ...process.env, DATABASE_URL: test.databaseUrl, NODE_ENV: 'development' };
  try {
    return (await promisify(execFile)(process.execPath, [cli, ...words], { env })).stdout;
  } catch (error) {
    if (error instanceof Error && 'stderr' in error) return String(error.stderr);
    throw error;
  }
}
const waitingId = async (creator: TestUser) =>
  (await listWaiting(test.ctx.db)).find(({ username }) => username === creator.username)?.id ?? '';

describe.each([
  ['the editor', edit],
  ['the settings', bySettings],
])('renaming through %s', (_, change) => {
  it('shows another name without the verified badge until it is reviewed', async () => {
    const before = fresh('Inês Åkerlund');
    const after = fresh('Tomasz Wilk');
    const creator = await verified(before);
    expect((await change(creator, after)).statusCode).toBe(200);
    expect(await shown(creator)).toEqual({ name: after, isVerified: false });
    expect(await told(creator)).toEqual({ state: 'waiting', name: after, verifiedName: before });
  });

  it('keeps the badge if only case, accents or spaces change, and restores it with the reviewed name', async () => {
    const before = fresh('Inês Åkerlund');
    const creator = await verified(before);
    const typed = before.toUpperCase().replace('Ê', 'E').replace(' ', '  ');
    expect((await change(creator, typed)).statusCode).toBe(200);
    expect(await shown(creator)).toEqual({ name: typed.replace('  ', ' '), isVerified: true });
    await change(creator, fresh('Somebody else'));
    await change(creator, before);
    expect(await shown(creator)).toEqual({ name: before, isVerified: true });
    expect(await told(creator)).toBeUndefined();
    expect(await waitingId(creator)).toBe('');
  });

  it('refuses a creator’s name that reads like a verified creator’s, in any script', async () => {
    const name = fresh('Marcin Cole');
    const owner = await verified(name);
    const other = await test.signUp('creator');
    const rival = await verified(fresh('Another One'));
    const alike = [
      name,
      name.toUpperCase(),
      name.replace('Mar', 'Маг'),
      name.replace('Cole', 'С0lе'),
      name.replace('M', '𝐌'),
    ];
    for (const typed of [
      ...alike,
      name.replace('l', 'I'),
      name.replace(' ', '-'),
      name.replace('M', 'rn'),
      name.replace('a', 'ᴀ'),
    ])
      for (const creator of [other, rival]) {
        const refused = await change(creator, typed);
        expect([typed, refused.statusCode]).toEqual([typed, 400]);
        expect(refused.json().error[0]).toMatchObject({
          field: 'name',
          message: expect.stringMatching(/verified creator/),
        });
      }
    expect((await shown(rival)).isVerified).toBe(true);
    expect((await change(other, `${name} of Lisbon`)).statusCode).toBe(200);
    expect((await change(owner, name)).statusCode).toBe(200);
    expect((await bySettings(await test.signUp('customer'), name)).statusCode).toBe(200);
  });

  it('refuses invisible characters', async () => {
    const creator = await test.signUp('creator');
    const refused = await change(creator, 'In\u202ees');
    expect([refused.statusCode, refused.json().error]).toEqual([
      400,
      [{ field: 'name', message: 'Remove invisible characters.' }],
    ]);
  });
});

it('a creator without the badge takes any other name without a review', async () => {
  const creator = await test.signUp('creator');
  await edit(creator, fresh('Plain Name'));
  expect(await told(creator)).toBeUndefined();
  expect(await waitingId(creator)).toBe('');
});

it('a name from before these rules is still shown everywhere', async () => {
  const old = 'In\u202ees \u0316\u0317\u0318\u0319 ✓';
  const creator = await test.signUp('creator', { name: old });
  expect((await shown(creator)).name).toBe(old);
  expect((await creator.inject('GET', '/api/creator/profile')).statusCode).toBe(200);
  expect((await creator.inject('GET', '/api/auth/user')).json().name).toBe(old);
  expect((await test.inject('GET', '/api/public/creators?search=in')).statusCode).toBe(200);
});

describe('npm run names', () => {
  it('lists waiting names with the names that they read like, approves only with a reason, and logs the decision', async () => {
    const before = fresh('Mirele Duarte');
    const after = fresh('Mirele Dvoraková');
    const creator = await verified(before);
    await edit(creator, after);
    const id = await waitingId(creator);
    const namesake = await verified(after);
    expect(await run()).toContain(
      `@${creator.username}: ${JSON.stringify(before)} requested ${JSON.stringify(after)}, SIMILAR TO @${namesake.username}\n`,
    );
    await test.ctx.events.settle();
    const changed: string[] = [];
    test.ctx.events.tell(
      'profile.changed',
      'test.names',
      () => 'test',
      ({ payload }) => void changed.push(payload.creatorId),
    );
    expect(await run('approve', id)).toContain('--reason');
    expect(await run('bless', id, '--reason', 'seen the passport')).toContain('npm run names --');
    expect(await run('approve', 'somebody', '--reason', 'seen the passport')).toContain('npm run names --');
    expect((await shown(creator)).isVerified).toBe(false);
    expect(await run('approve', id, '--reason', 'seen the passport')).toContain('Approved');
    expect(await shown(creator)).toEqual({ name: after, isVerified: true });
    expect(await told(creator)).toBeUndefined();
    await test.ctx.events.settle();
    expect(changed).toEqual([creator.id]);
    const { rows } = await test.owner.pool.query('select kind, detail from security_log where user_id = $1', [
      creator.id,
    ]);
    expect(rows).toEqual([{ kind: 'operatorActed', detail: 'names approve' }]);
    expect(await run('decline', id, '--reason', 'seen the passport')).toContain('decided already');
    await edit(creator, before);
    expect((await shown(creator)).isVerified).toBe(false);
  });

  it('declines: the old name is back with its badge, and its creator sees the reason for a month', async () => {
    const before = fresh('Dede Rahmat');
    const after = fresh('Taylor Swift');
    const creator = await verified(before);
    await edit(creator, after);
    expect(await run('decline', await waitingId(creator), '--reason', 'not your name')).toContain('Declined');
    expect(await shown(creator)).toEqual({ name: before, isVerified: true });
    const declined = { state: 'declined', name: after, verifiedName: before, ground: 'not your name' };
    expect(await told(creator)).toEqual(declined);
    expect((await test.inject('GET', `/api/public/profile/${creator.id}`)).json().nameReview).toBeUndefined();
    test.clock.advance(29 * 24 * 60 * 60_000);
    expect(await told({ ...creator, ...(await signedIn(creator)) })).toEqual(declined);
    test.clock.advance(2 * 24 * 60 * 60_000);
    expect(await told({ ...creator, ...(await signedIn(creator)) })).toBeUndefined();
  });
});

async function signedIn({ username, password }: TestUser): Promise<Pick<TestUser, 'inject'>> {
  const answer = await test.inject('POST', '/api/auth/login', { username, password });
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return { inject: (method, url, body, headers) => test.inject(method, url, body, { cookie, ...headers }) };
}

it.each(['Stagedoor', 'St\u0430ged00r Support', 'the Support Team', 'ADMIN', 'Official  Moderator', 'H\u0435lp Desk'])(
  'the name %s is refused because it reads like staff',
  async (name) => {
    for (const type of ['creator', 'customer'] as const) {
      const answer = await bySettings(await test.signUp(type), name);
      expect([answer.statusCode, answer.json().error]).toEqual([
        400,
        [{ field: 'name', message: 'This name looks like Stagedoor staff. Choose a different one.' }],
      ]);
    }
  },
);

it.each(['Admina Kovač', 'Supporting Act', 'The Helpers'])('the name %s is accepted', async (name) => {
  expect((await bySettings(await test.signUp('creator'), name)).statusCode).toBe(200);
});

it.each([
  'Log in: https://evil.example/login',
  'Verify at evil.com',
  'evil.example/login',
  'Pay here evil.example/pay',
])('the name %s is refused because it contains a web address', async (name) => {
  const creator = await test.signUp('creator');
  for (const answer of [
    await edit(creator, name),
    await bySettings(creator, name),
    await bySettings(await test.signUp('customer'), name),
  ])
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      [{ field: 'name', message: expect.stringMatching(/can’t contain links/) }],
    ]);
});

it('a user whose current name reads like a web address keeps it when they change something else', async () => {
  const creator = await test.signUp('creator', { name: 'lena.live' });
  expect((await edit(creator, 'lena.live')).statusCode).toBe(200);
});
