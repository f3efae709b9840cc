import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { writeDirectly } from '../chat/testing.ts';
import { makeFollow } from '../follows/testing.ts';
import { makeDeposit } from '../ledger/testing.ts';
import { importPicture } from '../media/index.ts';
import { makeReadyPicture, pictureFile } from '../media/testing.ts';
import { makePost } from '../posts/testing.ts';
import { caseIdOf, decideIt, reportedCase } from './testing.ts';

let app: TestApp;
let operator: TestUser;
let creator: TestUser;
let fan: TestUser;
let buyer: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  operator = await app.signUp('operator');
});
beforeEach(async () => {
  [creator, fan, buyer] = [await app.signUp('creator'), await app.signUp('customer'), await app.signUp('customer')];
  await makeDeposit(app.ctx.db, buyer.id, 10_000);
});
afterAll(() => app.close());

const get = (by: Pick<TestUser, 'inject'>, path: string) => by.inject('GET', `/api/${path}`);
const undoLast = async (view: { decisions: { id: string }[] }) =>
  operator.inject('POST', `/api/admin/case-decisions/${view.decisions[0]?.id}/undo`, { ground: 'We were wrong.' });
const thread = async (by: TestUser, id: string) => (await get(by, `message/list/${id}`)).json().data;
const conversationOf = async (by: TestUser) => (await get(by, 'message/conversation-list')).json().data[0].id;
const balanceOf = async (by: TestUser) => (await get(by, 'customer/wallet')).json();

test('taken-down media cannot be bought in a post or message, sent or published again', async () => {
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const spare = await makeReadyPicture(app.ctx, creator.id);
  const send = (price: number, media = mediaId) =>
    creator.inject('POST', '/api/message/media', { receiverId: buyer.id, mediaIds: [media], text: '', price });
  await writeDirectly(app.ctx, { creatorId: creator.id, fanId: buyer.id }, { from: 'fan', text: 'Hi' });
  const sent = await send(5);
  expect(sent.statusCode, sent.body).toBe(200);
  const postMedia = await makeReadyPicture(app.ctx, creator.id);
  const postId = await makePost(app.ctx, creator.id, { mediaIds: [postMedia], priceCents: 500 });
  const withhold = (is: boolean) =>
    app.owner.pool.query(`update media set withheld_at = ${is ? 'now()' : 'null'} where id = any ($1::uuid[])`, [
      [mediaId, postMedia, spare],
    ]);
  await withhold(true);
  const before = await balanceOf(buyer);
  const message = (await thread(buyer, await conversationOf(buyer)))[0];
  const buyMessage = () => buyer.inject('POST', `/api/message/purchase-chat-media/${message.id}`, { price: 5 });
  const buyPost = () => buyer.inject('POST', `/api/post/unlock/${postId}`, { price: 5 });
  expect((await buyMessage()).json()).toMatchObject({ code: 'CONFLICT', message: 'This message was deleted.' });
  expect((await buyPost()).json()).toMatchObject({ code: 'CONFLICT', message: 'This post is no longer available.' });
  expect(await balanceOf(buyer)).toEqual(before);
  expect((await send(7)).json().code).toBe('NOT_FOUND');
  const publish = () =>
    creator.inject('POST', '/api/post', {
      ...{ caption: '', price: 0, media: [{ id: spare, alt: '' }], tags: [], people: [] },
    });
  expect((await publish()).statusCode).not.toBe(200);
  await withhold(false);
  expect((await buyMessage()).statusCode).toBe(200);
  expect((await buyPost()).statusCode).toBe(200);
  expect((await publish()).statusCode).toBe(200);
});

test('a removed broadcast disappears for all recipients and returns after a reversal', async () => {
  const late = await app.signUp('customer');
  for (const one of [fan, buyer, late]) await makeFollow(app.ctx, one.id, creator.id);
  await app.ctx.events.settle();
  const mediaIds = [await makeReadyPicture(app.ctx, creator.id, { hasFiles: true })];
  const body = { audience: 'followers', text: 'Tonight at nine', mediaIds, price: 12 };
  const made = (await creator.inject('POST', '/api/message/broadcast-media', body)).json().data;
  await app.ctx.events.settle();
  const [ofFan, ofBuyer] = [await conversationOf(fan), await conversationOf(buyer)];
  const [message] = await thread(buyer, ofBuyer);
  const bought = await buyer.inject('POST', `/api/message/purchase-chat-media/${message.id}`, { price: 12 });
  const { url } = bought.json().data.media[0].picture;
  expect((await get(buyer, url.replace('/api/', ''))).statusCode).toBe(200);
  const [named] = await thread(fan, ofFan);
  const caseId = await reportedCase(app, fan, { person: creator, type: 'message', typeId: named.id });
  const decided = await decideIt(operator, caseId, { act: 'remove' });
  expect(decided.statusCode, decided.body).toBe(200);
  await app.ctx.events.settle();
  expect(await thread(fan, ofFan)).toEqual([]);
  expect(await thread(buyer, ofBuyer)).toEqual([]);
  expect((await get(buyer, url.replace('/api/', ''))).statusCode).toBe(404);
  expect((await get(late, 'message/conversation-list')).json().data).toEqual([]);
  expect((await get(creator, `message/broadcasts/${made.id}`)).json().status).toBe('unsent');
  expect((await undoLast(decided.json())).statusCode).toBe(200);
  await app.ctx.events.settle();
  expect(await thread(fan, ofFan)).toMatchObject([{ id: named.id, text: 'Tonight at nine' }]);
  expect(await thread(buyer, ofBuyer)).toMatchObject([{ id: message.id, isPurchased: true }]);
  expect((await get(buyer, url.replace('/api/', ''))).statusCode).toBe(200);
  expect((await get(creator, `message/broadcasts/${made.id}`)).json().status).toBe('sent');
});

test('a document of a removed message cannot be loaded until the removal is reversed', async () => {
  await writeDirectly(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'fan', text: 'Hi' });
  const said = await writeDirectly(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'creator', text: 'Paper' },
  );
  const fileId = '01a1ee87-3200-7005-93e2-b7cda5b27640';
  await app.owner.pool.query(
    `with f as (insert into chat_files (id, owner_id, kind, file_name, content_type, byte_size, created_at)
      values ($1, $2, 'document', 'a.pdf', 'application/pdf', 4, now()) returning id),
      m as (update messages set type = 'document' where id = $3)
      insert into chat_attachments (holder_id, position, file_id) select $3, 0, id from f`,
    [fileId, creator.id, said.messageId],
  );
  await app.ctx.storage.put(`private/d/${fileId}`, Buffer.from('%PDF'), 'application/pdf');
  const load = async (by: TestUser) => (await get(by, `asset/private?fileKey=d/${fileId}&tblType=chat`)).statusCode;
  expect([await load(fan), await load(creator)]).toEqual([200, 200]);
  const caseId = await reportedCase(app, fan, { person: creator, type: 'message', typeId: said.messageId });
  const decided = await decideIt(operator, caseId, { act: 'remove' });
  expect(decided.statusCode, decided.body).toBe(200);
  expect([await load(fan), await load(creator)]).toEqual([404, 404]);
  await undoLast(decided.json());
  expect([await load(fan), await load(creator)]).toEqual([200, 200]);
});

test('a document under two removals cannot be loaded until both are reversed', async () => {
  const fileId = '01a1ee87-3200-7005-93e2-b7cda5b27641';
  await app.owner.pool.query(
    `insert into chat_files (id, owner_id, kind, file_name, content_type, byte_size, created_at)
      values ($1, $2, 'document', 'a.pdf', 'application/pdf', 4, now())`,
    [fileId, creator.id],
  );
  await app.ctx.storage.put(`private/d/${fileId}`, Buffer.from('%PDF'), 'application/pdf');
  const load = async (by: TestUser) => (await get(by, `asset/private?fileKey=d/${fileId}&tblType=chat`)).statusCode;
  const loads = () => Promise.all([fan, buyer, creator].map(load));
  const cases: string[] = [];
  for (const one of [fan, buyer]) {
    const pair = { creatorId: creator.id, fanId: one.id };
    await writeDirectly(app.ctx, pair, { from: 'fan', text: 'Hi' });
    const said = await writeDirectly(app.ctx, pair, { from: 'creator', text: 'Paper' });
    await app.owner.pool.query(
      `with m as (update messages set type = 'document' where id = $1)
        insert into chat_attachments (holder_id, position, file_id) values ($1, 0, $2)`,
      [said.messageId, fileId],
    );
    cases.push(await reportedCase(app, one, { person: creator, type: 'message', typeId: said.messageId }));
  }
  expect(await loads()).toEqual([200, 200, 200]);
  const removals: { decisions: { id: string }[] }[] = [];
  for (const id of cases) removals.push((await decideIt(operator, id, { act: 'remove' })).json());
  for (const [index, status] of [404, 200].entries()) {
    expect((await undoLast(removals[index] ?? { decisions: [] })).statusCode).toBe(200);
    expect(await loads()).toEqual([status, status, status]);
  }
});

test('reversing a decision never republishes a post that its creator deleted', async () => {
  const isShown = async (postId: string) => (await get(app, `post/${postId}`)).statusCode === 200;
  const report = (postId: string) => reportedCase(app, fan, { person: creator, type: 'post', typeId: postId });
  const deletes = async (postId: string) =>
    expect((await creator.inject('DELETE', `/api/post/${postId}`)).statusCode).toBe(200);

  const whileHidden = await makePost(app.ctx, creator.id);
  const first = await decideIt(operator, await report(whileHidden), { act: 'hide' });
  await deletes(whileHidden);
  expect((await undoLast(first.json())).statusCode).toBe(200);
  expect(await isShown(whileHidden)).toBe(false);

  const between = await makePost(app.ctx, creator.id);
  await undoLast((await decideIt(operator, await report(between), { act: 'hide' })).json());
  expect(await isShown(between)).toBe(true);
  const caseId = await report(between);
  await deletes(between);
  await undoLast((await decideIt(operator, caseId, { act: 'remove' })).json());
  expect(await isShown(between)).toBe(false);

  const twice = await makePost(app.ctx, creator.id);
  const hidden = await decideIt(operator, await report(twice), { act: 'hide' });
  const removed = await decideIt(operator, await report(twice), { act: 'remove' });
  await undoLast(hidden.json());
  expect(await isShown(twice)).toBe(false);
  await undoLast(removed.json());
  expect(await isShown(twice)).toBe(true);
});

test('operators see whose copies exist, owners are notified, and later copies are restored with the rest', async () => {
  const hash = (ids: string[]) =>
    app.owner.pool.query('update media set content_hash = sha256($2::bytea) where id = any ($1::uuid[])', [
      ids,
      Buffer.from(creator.id),
    ]);
  const [mediaId, copyId, other, laterId] = [
    await makeReadyPicture(app.ctx, creator.id, { hasFiles: true }),
    await makeReadyPicture(app.ctx, fan.id, { hasFiles: true }),
    await makeReadyPicture(app.ctx, buyer.id, { hasFiles: true }),
    await makeReadyPicture(app.ctx, buyer.id, { hasFiles: true }),
  ];
  await hash([mediaId, copyId]);
  const post = async (id: string) => {
    const typeId = await makePost(app.ctx, creator.id, { mediaIds: [id], priceCents: 500 });
    return reportedCase(app, fan, { person: creator, type: 'post', typeId });
  };
  const caseId = await post(mediaId);
  expect((await get(operator, `admin/cases/${caseId}`)).json()).toMatchObject({ copies: 1, copiesOf: [fan.username] });
  const decided = await decideIt(operator, caseId, { act: 'remove' });
  const mailed = async (to: string) =>
    (
      await app.ctx.db.query
        .selectFrom('development_mail')
        .select('body')
        .where('recipient', '=', to)
        .orderBy('id')
        .execute()
    ).map(({ body }) => body);
  const [told = ''] = await mailed(fan.email);
  expect(told).toContain('We removed a file of yours because it’s identical to content we removed before.');
  expect(told).not.toContain(creator.username);
  // Simulates a copy that was uploaded later.
  await hash([laterId]);
  await app.owner.pool.query('update media set withheld_at = now() where id = $1', [laterId]);
  const load = async (by: TestUser, id: string, where = 'media') =>
    (await get(by, `asset/private?fileKey=m/${id}/96.webp&tblType=${where}`)).statusCode;
  expect([await load(fan, copyId), await load(buyer, laterId), await load(buyer, other)]).toEqual([404, 404, 200]);
  expect(await load(fan, copyId, 'case')).toBe(404);
  await undoLast(decided.json());
  await app.ctx.events.settle();
  expect([await load(fan, copyId), await load(buyer, laterId), await load(creator, mediaId)]).toEqual([200, 200, 200]);
  expect((await mailed(buyer.email)).at(-1)).toContain('We restored a file');
  const alerts = (await get(fan, 'notifications'))
    .json()
    .data.filter(({ kind }: { kind: string }) => kind === 'copies');
  expect(alerts.map(({ text }: { text: string }) => text)).toEqual(['Your file was restored', 'Your file was removed']);
});

async function withheld(...ids: string[]): Promise<boolean[]> {
  const rows = await app.ctx.db.query
    .selectFrom('media')
    .select(['id', 'withheld_at'])
    .where('id', 'in', ids)
    .execute();
  return ids.map((id) => rows.some((row) => row.id === id && row.withheld_at !== null));
}

test('a copy uploaded after a removal is taken down, its owner is notified and one case is opened', async () => {
  const file = await pictureFile({ seed: 77, width: 300 });
  const first = await importPicture(app.ctx, creator.id, file);
  const postId = await makePost(app.ctx, creator.id, { mediaIds: [first] });
  const caseId = await reportedCase(app, fan, { person: creator, type: 'post', typeId: postId });
  const removed = (await decideIt(operator, caseId, { act: 'remove' })).json();
  const later = [await importPicture(app.ctx, buyer.id, file), await importPicture(app.ctx, buyer.id, file)];
  await app.ctx.events.settle();
  expect(await withheld(...later)).toEqual([true, true]);
  const found = (await get(operator, `admin/cases?q=${buyer.username}`)).json().data;
  expect(found).toMatchObject([
    { title: `Removed file uploaded again: @${buyer.username}`, state: 'open', reports: 0 },
  ]);
  const { entries } = (await get(operator, `admin/cases/${found[0].id}`)).json();
  expect(entries).toMatchObject([{ kind: 'note', by: null, text: expect.stringContaining(removed.reference) }]);
  const mails = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where('recipient', '=', buyer.email)
    .where('subject', '=', 'About one of your files')
    .execute();
  expect(mails).toHaveLength(2);
  await undoLast(removed);
  const free = await importPicture(app.ctx, fan.id, file);
  await app.ctx.events.settle();
  expect(await withheld(...later, free)).toEqual([false, false, false]);
  expect((await get(operator, `admin/cases?q=${fan.username}`)).json().data).toHaveLength(1);
});

test('a copyright removal also takes down later copies of the same user, but not of others', async () => {
  const file = await pictureFile({ seed: 78, width: 300 });
  const postId = await makePost(app.ctx, creator.id, { mediaIds: [await importPicture(app.ctx, creator.id, file)] });
  const notice = await app.inject('POST', '/api/public/copyright-notices', {
    ...{ name: 'Cleo Marsh', email: 'cleo@example.com', address: '4 Quay Street', telephone: '+44 117 496 0000' },
    ...{ work: 'My photograph.', places: `/post/${postId}`, signature: 'Cleo Marsh' },
    ...{ isGoodFaith: true, isAccurate: true },
  });
  await decideIt(operator, await caseIdOf(app, notice.json().cases[0].reference), { act: 'remove' });
  const [again, claimed] = [
    await importPicture(app.ctx, creator.id, file),
    await importPicture(app.ctx, buyer.id, file),
  ];
  await app.ctx.events.settle();
  expect(await withheld(again, claimed)).toEqual([true, false]);
  expect((await get(operator, `admin/cases?q=${buyer.username}`)).json().data).toEqual([]);
});
