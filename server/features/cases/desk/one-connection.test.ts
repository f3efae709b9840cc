/** Each action uses one database connection, so that a pool of one cannot deadlock. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { importPicture } from '../../media/index.ts';
import { pictureFile } from '../../media/testing.ts';
import { makePost } from '../../posts/testing.ts';
import { decideIt, reportedCase } from '../testing.ts';

const POOL = 12;
let app: TestApp;
let creator: TestUser;
let fan: TestUser;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { DATABASE_POOL: String(POOL) } });
  operator = await app.signUp('operator');
  [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
});
afterAll(() => app.close());

type Answer = Awaited<ReturnType<TestUser['inject']>>;
async function allOf(answers: Promise<Answer>[]): Promise<Answer[]> {
  const all = await Promise.all(answers);
  for (const answer of all) expect(answer.statusCode, answer.body).toBe(200);
  return all;
}
async function withOne(work: () => Promise<void>): Promise<void> {
  const { promise: end, resolve: letGo } = Promise.withResolvers<void>();
  const taken = Array.from({ length: POOL - 1 }, () => Promise.withResolvers<void>());
  const holders = taken.map(({ resolve }) =>
    app.ctx.db.transaction(async () => {
      resolve();
      await end;
    }),
  );
  await Promise.all(taken.map(({ promise }) => promise));
  try {
    await work();
  } finally {
    letGo();
    await Promise.all(holders);
  }
}
const post = (path: string, body: object) => operator.inject('POST', `/api/${path}`, body);

test('saved replies are saved, listed and deleted concurrently with one connection', async () => {
  await withOne(async () => {
    const titles = Array.from({ length: 6 }, (_, index) => `Receipts ${index}`);
    const kept = await allOf(titles.map((title) => post('admin/saved-answers', { title, text: 'In your wallet.' })));
    await allOf(titles.map(() => operator.inject('GET', '/api/admin/saved-answers')));
    await allOf(kept.map((answer) => operator.inject('DELETE', `/api/admin/saved-answers/${answer.json().id}`)));
  });
});

test('cases are viewed, decided, reversed and reopened concurrently with one connection', async () => {
  const file = await pictureFile({ seed: 5, width: 200 });
  const typeId = await makePost(app.ctx, creator.id, { mediaIds: [await importPicture(app.ctx, creator.id, file)] });
  const ids = [
    await reportedCase(app, fan, { person: creator }),
    await reportedCase(app, fan, { person: creator, type: 'post', typeId }),
    (await post(`admin/people/${fan.id}/case`, { ground: 'Forty tickets.' })).json().id,
  ];
  await withOne(() => workOn(ids));
});

async function hangAvatar(): Promise<void> {
  const data = new FormData();
  data.set('file', new Blob([new Uint8Array(await pictureFile({ seed: 6, width: 200 }))]), 'me.png');
  const request = new Request('http://localhost/', { method: 'POST', body: data });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  await allOf([
    creator.inject('POST', '/api/creator/profile/avatar', Buffer.from(await request.arrayBuffer()), headers),
  ]);
}

async function workOn(ids: readonly string[]): Promise<void> {
  const looks = ['', '/thing'].flatMap((what) => ids.map((id) => `/api/admin/cases/${id}${what}`));
  await allOf(looks.map((path) => operator.inject('GET', path)));
  await allOf(ids.map((id) => post(`admin/cases/${id}/notes`, { text: 'Looked at.' })));
  expect((await post('admin/cases/dismiss', { ids, ground: 'Spam' })).json().left).toEqual([]);
  expect((await post('admin/cases/reopen', { ids, ground: 'Too quick.' })).json().left).toEqual([]);
  await hangAvatar();
  const [removed, taken] = await allOf([
    decideIt(operator, ids[1] ?? '', { act: 'remove' }),
    decideIt(operator, ids[0] ?? '', { act: 'remove', parts: ['avatar'] }),
  ]);
  await allOf(
    [removed, taken].map((answer) =>
      post(`admin/case-decisions/${answer?.json().decisions[0].id}/undo`, { ground: 'We were wrong.' }),
    ),
  );
}
