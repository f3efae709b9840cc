import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { listWaitingNames } from './display-name-review.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

let createdCount = 0;
const createName = (name: string) => `${name} ${String.fromCodePoint(0x4e00 + createdCount++)}`;

async function signUpVerified(name: string): Promise<TestUser> {
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
async function renameBySettings(creator: TestUser, name: string) {
  const data = new FormData();
  data.set('name', name);
  const request = new Request('http://localhost/', { method: 'POST', body: data });
  const type = request.headers.get('content-type') ?? '';
  const body = Buffer.from(await request.arrayBuffer());
  return creator.inject('POST', '/api/customer/profile-update', body, { 'content-type': type });
}
const getShownName = async (creator: TestUser) => {
  const { name, isVerified } = (await test.inject('GET', `/api/public/profile/${creator.id}`)).json();
  return { name, isVerified };
};
const getNameReview = async (creator: TestUser) =>
  (await creator.inject('GET', '/api/creator/profile')).json().nameReview;

async function run(...args: string[]): Promise<string> {
  const cli = fileURLToPath(new URL('./names-cli.ts', import.meta.url));
  const env = { ...process.env, DATABASE_URL: test.databaseUrl, NODE_ENV: 'development' };
  try {
    return (await promisify(execFile)(process.execPath, [cli, ...args], { env })).stdout;
  } catch (error) {
    if (error instanceof Error && 'stderr' in error) return String(error.stderr);
    throw error;
  }
}
const findWaitingId = async (creator: TestUser) =>
  (await listWaitingNames(test.ctx.db)).find(({ username }) => username === creator.username)?.id ?? '';

describe.each([
  ['the editor', edit],
  ['the settings', renameBySettings],
])('renaming through %s', (_, change) => {
  it('shows another name without the verified badge until it is reviewed', async () => {
    const before = createName('Inês Åkerlund');
    const after = createName('Tomasz Wilk');
    const creator = await signUpVerified(before);
    expect((await change(creator, after)).statusCode).toBe(200);
    expect(await getShownName(creator)).toEqual({ name: after, isVerified: false });
    expect(await getNameReview(creator)).toEqual({ state: 'waiting', name: after, verifiedName: before });
  });

  it('keeps the badge if only case, accents or spaces change, and restores it with the reviewed name', async () => {
    const before = createName('Inês Åkerlund');
    const creator = await signUpVerified(before);
    const typed = before.toUpperCase().replace('Ê', 'E').replace(' ', '  ');
    expect((await change(creator, typed)).statusCode).toBe(200);
    expect(await getShownName(creator)).toEqual({ name: typed.replace('  ', ' '), isVerified: true });
    await change(creator, createName('Somebody else'));
    await change(creator, before);
    expect(await getShownName(creator)).toEqual({ name: before, isVerified: true });
    expect(await getNameReview(creator)).toBeUndefined();
    expect(await findWaitingId(creator)).toBe('');
  });

  it('refuses a creator’s name that reads like a verified creator’s, in any script', async () => {
    const name = createName('Marcin Cole');
    const owner = await signUpVerified(name);
    const other = await test.signUp('creator');
    const rival = await signUpVerified(createName('Another One'));
    const similarNames = [
      name,
      name.toUpperCase(),
      name.replace('Mar', 'Маг'),
      name.replace('Cole', 'С0lе'),
      name.replace('M', '𝐌'),
    ];
    for (const typed of [
      ...similarNames,
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
    expect((await getShownName(rival)).isVerified).toBe(true);
    expect((await change(other, `${name} of Lisbon`)).statusCode).toBe(200);
    expect((await change(owner, name)).statusCode).toBe(200);
    expect((await renameBySettings(await test.signUp('customer'), name)).statusCode).toBe(200);
  });

  it('drops invisible characters', async () => {
    const creator = await test.signUp('creator');
    expect((await change(creator, 'In\u202ees')).statusCode).toBe(200);
    expect((await getShownName(creator)).name).toBe('Ines');
  });
});

it('a creator without the badge takes any other name without a review', async () => {
  const creator = await test.signUp('creator');
  await edit(creator, createName('Plain Name'));
  expect(await getNameReview(creator)).toBeUndefined();
  expect(await findWaitingId(creator)).toBe('');
});

it('a name from before these rules is still shown everywhere', async () => {
  const old = 'In\u202ees \u0316\u0317\u0318\u0319 ✓';
  const creator = await test.signUp('creator', { name: old });
  expect((await getShownName(creator)).name).toBe(old);
  expect((await creator.inject('GET', '/api/creator/profile')).statusCode).toBe(200);
  expect((await creator.inject('GET', '/api/auth/user')).json().name).toBe(old);
  expect((await test.inject('GET', '/api/public/creators?search=in')).statusCode).toBe(200);
});

describe('npm run names', () => {
  it('lists waiting names with the names that they read like, approves only with a reason, and logs the decision', async () => {
    const before = createName('Mirele Duarte');
    const after = createName('Mirele Dvoraková');
    const creator = await signUpVerified(before);
    await edit(creator, after);
    const id = await findWaitingId(creator);
    const namesake = await signUpVerified(after);
    expect(await run()).toContain(
      `@${creator.username}: ${JSON.stringify(before)} requested ${JSON.stringify(after)}, SIMILAR TO @${namesake.username}\n`,
    );
    await test.ctx.events.waitUntilIdle();
    const changed: string[] = [];
    test.ctx.events.addBroadcastHandler(
      'profile.changed',
      'test.names',
      () => 'test',
      ({ payload }) => void changed.push(payload.creatorId),
    );
    expect(await run('approve', id)).toContain('--reason');
    expect(await run('bless', id, '--reason', 'seen the passport')).toContain('npm run names --');
    expect(await run('approve', 'somebody', '--reason', 'seen the passport')).toContain('npm run names --');
    expect((await getShownName(creator)).isVerified).toBe(false);
    expect(await run('approve', id, '--reason', 'seen the passport')).toContain('Approved');
    expect(await getShownName(creator)).toEqual({ name: after, isVerified: true });
    expect(await getNameReview(creator)).toBeUndefined();
    await test.ctx.events.waitUntilIdle();
    expect(changed).toEqual([creator.id]);
    const { rows } = await test.owner.pool.query('select kind, detail from security_log where user_id = $1', [
      creator.id,
    ]);
    expect(rows).toEqual([{ kind: 'operatorAction', detail: 'names approve' }]);
    expect(await run('decline', id, '--reason', 'seen the passport')).toContain('decided already');
    await edit(creator, before);
    expect((await getShownName(creator)).isVerified).toBe(false);
  });

  it('declines: the old name is back with its badge, and its creator sees the reason for a month', async () => {
    const before = createName('Dede Rahmat');
    const after = createName('Taylor Swift');
    const creator = await signUpVerified(before);
    await edit(creator, after);
    expect(await run('decline', await findWaitingId(creator), '--reason', 'not your name')).toContain('Declined');
    expect(await getShownName(creator)).toEqual({ name: before, isVerified: true });
    const declined = { state: 'declined', name: after, verifiedName: before, reason: 'not your name' };
    expect(await getNameReview(creator)).toEqual(declined);
    expect((await test.inject('GET', `/api/public/profile/${creator.id}`)).json().nameReview).toBeUndefined();
    test.clock.advance(29 * 24 * 60 * 60_000);
    expect(await getNameReview({ ...creator, ...(await signIn(creator)) })).toEqual(declined);
    test.clock.advance(2 * 24 * 60 * 60_000);
    expect(await getNameReview({ ...creator, ...(await signIn(creator)) })).toBeUndefined();
  });
});

async function signIn({ username, password }: TestUser): Promise<Pick<TestUser, 'inject'>> {
  const response = await test.inject('POST', '/api/auth/login', { username, password });
  const cookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return { inject: (method, url, body, headers) => test.inject(method, url, body, { cookie, ...headers }) };
}

it.each([
  'Stagedoor',
  'St\u0430ged00r Support',
  'the Support Team',
  'ADMIN',
  'Official  Moderator',
  'H\u0435lp Desk',
  'Official',
  'Mirele \u0410dmin 2',
  'Security Team',
])('the name %s is refused because it reads like staff', async (name) => {
  for (const type of ['creator', 'customer'] as const) {
    const response = await renameBySettings(await test.signUp(type), name);
    expect([response.statusCode, response.json().error]).toEqual([
      400,
      [{ field: 'name', message: 'This name looks like Stagedoor staff. Choose a different one.' }],
    ]);
  }
});

it.each(['Admina Kovač', 'Supporting Act', 'The Helpers', 'Emotional Support Dog'])(
  'the name %s is accepted',
  async (name) => {
    expect((await renameBySettings(await test.signUp('creator'), name)).statusCode).toBe(200);
  },
);

it.each([
  'Log in: https://evil.example/login',
  'Verify at evil.com',
  'evil.example/login',
  'Pay here evil.example/pay',
])('the name %s is refused because it contains a web address', async (name) => {
  const creator = await test.signUp('creator');
  for (const response of [
    await edit(creator, name),
    await renameBySettings(creator, name),
    await renameBySettings(await test.signUp('customer'), name),
  ])
    expect([response.statusCode, response.json().error]).toEqual([
      400,
      [{ field: 'name', message: expect.stringMatching(/can’t contain links/) }],
    ]);
});

it('a user whose current name reads like a web address keeps it when they change something else', async () => {
  const creator = await test.signUp('creator', { name: 'lena.live' });
  expect((await edit(creator, 'lena.live')).statusCode).toBe(200);
});
