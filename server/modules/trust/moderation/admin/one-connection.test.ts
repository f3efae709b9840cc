/** Each action uses one database connection, so that a pool of one cannot deadlock. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { importPicture } from '../../../content/media/index.ts';
import { createPictureFile } from '../../../content/media/testing.ts';
import { makePost } from '../../../content/posts/testing.ts';
import { createReportedCase, decideCaseAs } from '../testing.ts';

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

type InjectResponse = Awaited<ReturnType<TestUser['inject']>>;
async function expectAllSucceed(responses: Promise<InjectResponse>[]): Promise<InjectResponse[]> {
  const all = await Promise.all(responses);
  for (const response of all) expect(response.statusCode, response.body).toBe(200);
  return all;
}
async function withOneConnection(work: () => Promise<void>): Promise<void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const started = Array.from({ length: POOL - 1 }, () => Promise.withResolvers<void>());
  const holders = started.map(({ resolve }) =>
    app.ctx.db.transaction(async () => {
      resolve();
      await released;
    }),
  );
  await Promise.all(started.map(({ promise }) => promise));
  try {
    await work();
  } finally {
    release();
    await Promise.all(holders);
  }
}
const post = (path: string, body: object) => operator.inject('POST', `/api/${path}`, body);

test('saved replies are saved, listed and deleted concurrently with one connection', async () => {
  await withOneConnection(async () => {
    const titles = Array.from({ length: 6 }, (_, index) => `Receipts ${index}`);
    const savedResponses = await expectAllSucceed(
      titles.map((title) => post('admin/canned-responses', { title, text: 'In your wallet.' })),
    );
    await expectAllSucceed(titles.map(() => operator.inject('GET', '/api/admin/canned-responses')));
    await expectAllSucceed(
      savedResponses.map((response) => operator.inject('DELETE', `/api/admin/canned-responses/${response.json().id}`)),
    );
  });
});

test('cases are viewed, decided, reversed and reopened concurrently with one connection', async () => {
  const file = await createPictureFile({ seed: 5, width: 200 });
  const typeId = await makePost(app.ctx, creator.id, { mediaIds: [await importPicture(app.ctx, creator.id, file)] });
  const ids = [
    await createReportedCase(app, fan, { user: creator }),
    await createReportedCase(app, fan, { user: creator, type: 'post', typeId }),
    (await post(`admin/users/${fan.id}/case`, { reason: 'Forty tickets.' })).json().id,
  ];
  await withOneConnection(() => processCases(ids));
});

async function uploadAvatar(): Promise<void> {
  const data = new FormData();
  data.set('file', new Blob([new Uint8Array(await createPictureFile({ seed: 6, width: 200 }))]), 'me.png');
  const request = new Request('http://localhost/', { method: 'POST', body: data });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  await expectAllSucceed([
    creator.inject('POST', '/api/creator/profile/avatar', Buffer.from(await request.arrayBuffer()), headers),
  ]);
}

async function processCases(ids: readonly string[]): Promise<void> {
  const paths = ['', '/content'].flatMap((suffix) => ids.map((id) => `/api/admin/cases/${id}${suffix}`));
  await expectAllSucceed(paths.map((path) => operator.inject('GET', path)));
  await expectAllSucceed(ids.map((id) => post(`admin/cases/${id}/notes`, { text: 'Looked at.' })));
  expect((await post('admin/cases/dismiss', { ids, reason: 'Spam' })).json().skipped).toEqual([]);
  expect((await post('admin/cases/reopen', { ids, reason: 'Too quick.' })).json().skipped).toEqual([]);
  await uploadAvatar();
  const [removed, partRemoval] = await expectAllSucceed([
    decideCaseAs(operator, ids[1] ?? '', { action: 'remove' }),
    decideCaseAs(operator, ids[0] ?? '', { action: 'remove', parts: ['avatar'] }),
  ]);
  await expectAllSucceed(
    [removed, partRemoval].map((response) =>
      post(`admin/case-decisions/${response?.json().decisions[0].id}/undo`, { reason: 'We were wrong.' }),
    ),
  );
}
