import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { importPicture } from '../../content/media/index.ts';
import { createPictureFile, makeReadyPicture } from '../../content/media/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { seedMessage } from '../../messaging/chat/testing.ts';
import { createReportedCase, decideCaseAs, getCaseId } from './testing.ts';

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
  await createDeposit(app.ctx.db, buyer.id, 10_000);
});
afterAll(() => app.close());

const get = (by: Pick<TestUser, 'inject'>, path: string) => by.inject('GET', `/api/${path}`);
const undoLast = async (view: { decisions: { id: string }[] }) =>
  operator.inject('POST', `/api/admin/case-decisions/${view.decisions[0]?.id}/undo`, { reason: 'We were wrong.' });
const thread = async (by: TestUser, id: string) => (await get(by, `message/list/${id}`)).json().data;
const getConversationId = async (by: TestUser) => (await get(by, 'message/conversation-list')).json().data[0].id;
const getBalance = async (by: TestUser) => (await get(by, 'customer/wallet')).json();

test('taken-down media cannot be bought in a post or message, sent or published again', async () => {
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const spare = await makeReadyPicture(app.ctx, creator.id);
  const send = (price: number, media = mediaId) =>
    creator.inject('POST', '/api/message/media', { receiverId: buyer.id, mediaIds: [media], text: '', price });
  await seedMessage(app.ctx, { creatorId: creator.id, fanId: buyer.id }, { from: 'fan', text: 'Hi' });
  const sent = await send(5);
  expect(sent.statusCode, sent.body).toBe(200);
  const postMedia = await makeReadyPicture(app.ctx, creator.id);
  const postId = await makePost(app.ctx, creator.id, { mediaIds: [postMedia], priceCents: 500 });
  const setTakenDown = (isTakenDown: boolean) =>
    app.owner.pool.query(
      `update media set taken_down_at = ${isTakenDown ? 'now()' : 'null'} where id = any ($1::uuid[])`,
      [[mediaId, postMedia, spare]],
    );
  await setTakenDown(true);
  const before = await getBalance(buyer);
  const message = (await thread(buyer, await getConversationId(buyer)))[0];
  const buyMessage = () => buyer.inject('POST', `/api/message/purchase-chat-media/${message.id}`, { price: 5 });
  const buyPost = () => buyer.inject('POST', `/api/post/unlock/${postId}`, { price: 5 });
  expect((await buyMessage()).json()).toMatchObject({ code: 'CONFLICT', message: 'This message was deleted.' });
  expect((await buyPost()).json()).toMatchObject({ code: 'CONFLICT', message: 'This post is no longer available.' });
  expect(await getBalance(buyer)).toEqual(before);
  expect((await send(7)).json().code).toBe('NOT_FOUND');
  const publish = () =>
    creator.inject('POST', '/api/post', {
      ...{ caption: '', price: 0, media: [{ id: spare, alt: '' }], tags: [], people: [] },
    });
  expect((await publish()).statusCode).not.toBe(200);
  await setTakenDown(false);
  expect((await buyMessage()).statusCode).toBe(200);
  expect((await buyPost()).statusCode).toBe(200);
  expect((await publish()).statusCode).toBe(200);
});

test('a removed broadcast disappears for all recipients and returns after a reversal', async () => {
  const late = await app.signUp('customer');
  for (const follower of [fan, buyer, late]) await createFollow(app.ctx, follower.id, creator.id);
  await app.ctx.events.waitUntilIdle();
  const mediaIds = [await makeReadyPicture(app.ctx, creator.id, { hasFiles: true })];
  const body = { audience: 'followers', text: 'Tonight at nine', mediaIds, price: 12 };
  const broadcast = (await creator.inject('POST', '/api/message/broadcast-media', body)).json().data;
  await app.ctx.events.waitUntilIdle();
  const [fanConversationId, buyerConversationId] = [await getConversationId(fan), await getConversationId(buyer)];
  const [message] = await thread(buyer, buyerConversationId);
  const bought = await buyer.inject('POST', `/api/message/purchase-chat-media/${message.id}`, { price: 12 });
  const { url } = bought.json().data.media[0].picture;
  expect((await get(buyer, url.replace('/api/', ''))).statusCode).toBe(200);
  const [fanMessage] = await thread(fan, fanConversationId);
  const caseId = await createReportedCase(app, fan, { user: creator, type: 'message', typeId: fanMessage.id });
  const decided = await decideCaseAs(operator, caseId, { action: 'remove' });
  expect(decided.statusCode, decided.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
  expect(await thread(fan, fanConversationId)).toEqual([]);
  expect(await thread(buyer, buyerConversationId)).toEqual([]);
  expect((await get(buyer, url.replace('/api/', ''))).statusCode).toBe(404);
  expect((await get(late, 'message/conversation-list')).json().data).toEqual([]);
  expect((await get(creator, `message/broadcasts/${broadcast.id}`)).json().status).toBe('unsent');
  expect((await undoLast(decided.json())).statusCode).toBe(200);
  await app.ctx.events.waitUntilIdle();
  expect(await thread(fan, fanConversationId)).toMatchObject([{ id: fanMessage.id, text: 'Tonight at nine' }]);
  expect(await thread(buyer, buyerConversationId)).toMatchObject([{ id: message.id, isPurchased: true }]);
  expect((await get(buyer, url.replace('/api/', ''))).statusCode).toBe(200);
  expect((await get(creator, `message/broadcasts/${broadcast.id}`)).json().status).toBe('sent');
});

test('a document of a removed message cannot be loaded until the removal is reversed', async () => {
  await seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'fan', text: 'Hi' });
  const sentMessage = await seedMessage(
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
    [fileId, creator.id, sentMessage.messageId],
  );
  await app.ctx.storage.put(`private/d/${fileId}`, Buffer.from('%PDF'), 'application/pdf');
  const load = async (by: TestUser) => (await get(by, `asset/private?fileKey=d/${fileId}&tblType=chat`)).statusCode;
  expect([await load(fan), await load(creator)]).toEqual([200, 200]);
  const caseId = await createReportedCase(app, fan, { user: creator, type: 'message', typeId: sentMessage.messageId });
  const decided = await decideCaseAs(operator, caseId, { action: 'remove' });
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
    await seedMessage(app.ctx, pair, { from: 'fan', text: 'Hi' });
    const sentMessage = await seedMessage(app.ctx, pair, { from: 'creator', text: 'Paper' });
    await app.owner.pool.query(
      `with m as (update messages set type = 'document' where id = $1)
        insert into chat_attachments (holder_id, position, file_id) values ($1, 0, $2)`,
      [sentMessage.messageId, fileId],
    );
    cases.push(await createReportedCase(app, one, { user: creator, type: 'message', typeId: sentMessage.messageId }));
  }
  expect(await loads()).toEqual([200, 200, 200]);
  const removals: { decisions: { id: string }[] }[] = [];
  for (const id of cases) removals.push((await decideCaseAs(operator, id, { action: 'remove' })).json());
  for (const [index, status] of [404, 200].entries()) {
    expect((await undoLast(removals[index] ?? { decisions: [] })).statusCode).toBe(200);
    expect(await loads()).toEqual([status, status, status]);
  }
});

test('reversing a decision never republishes a post that its creator deleted', async () => {
  const isShown = async (postId: string) => (await get(app, `post/${postId}`)).statusCode === 200;
  const report = (postId: string) => createReportedCase(app, fan, { user: creator, type: 'post', typeId: postId });
  const deletePost = async (postId: string) =>
    expect((await creator.inject('DELETE', `/api/post/${postId}`)).statusCode).toBe(200);

  const deletedWhileHidden = await makePost(app.ctx, creator.id);
  const first = await decideCaseAs(operator, await report(deletedWhileHidden), { action: 'hide' });
  await deletePost(deletedWhileHidden);
  expect((await undoLast(first.json())).statusCode).toBe(200);
  expect(await isShown(deletedWhileHidden)).toBe(false);

  const deletedBetween = await makePost(app.ctx, creator.id);
  await undoLast((await decideCaseAs(operator, await report(deletedBetween), { action: 'hide' })).json());
  expect(await isShown(deletedBetween)).toBe(true);
  const caseId = await report(deletedBetween);
  await deletePost(deletedBetween);
  await undoLast((await decideCaseAs(operator, caseId, { action: 'remove' })).json());
  expect(await isShown(deletedBetween)).toBe(false);

  const removedTwice = await makePost(app.ctx, creator.id);
  const hidden = await decideCaseAs(operator, await report(removedTwice), { action: 'hide' });
  const removed = await decideCaseAs(operator, await report(removedTwice), { action: 'remove' });
  await undoLast(hidden.json());
  expect(await isShown(removedTwice)).toBe(false);
  await undoLast(removed.json());
  expect(await isShown(removedTwice)).toBe(true);
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
  const createPostCase = async (id: string) => {
    const typeId = await makePost(app.ctx, creator.id, { mediaIds: [id], priceCents: 500 });
    return createReportedCase(app, fan, { user: creator, type: 'post', typeId });
  };
  const caseId = await createPostCase(mediaId);
  expect((await get(operator, `admin/cases/${caseId}`)).json()).toMatchObject({
    copies: 1,
    copyOwners: [fan.username],
  });
  const decided = await decideCaseAs(operator, caseId, { action: 'remove' });
  const listMails = async (to: string) =>
    (
      await app.ctx.db.query
        .selectFrom('development_mail')
        .select('body')
        .where('recipient', '=', to)
        .orderBy('id')
        .execute()
    ).map(({ body }) => body);
  const [mail = ''] = await listMails(fan.email);
  expect(mail).toContain('We removed a file of yours because it’s identical to content we removed before.');
  expect(mail).not.toContain(creator.username);
  // Simulates a copy that was uploaded later.
  await hash([laterId]);
  await app.owner.pool.query('update media set taken_down_at = now() where id = $1', [laterId]);
  const load = async (by: TestUser, id: string, where = 'media') =>
    (await get(by, `asset/private?fileKey=m/${id}/96.webp&tblType=${where}`)).statusCode;
  expect([await load(fan, copyId), await load(buyer, laterId), await load(buyer, other)]).toEqual([404, 404, 200]);
  expect(await load(fan, copyId, 'case')).toBe(404);
  await undoLast(decided.json());
  await app.ctx.events.waitUntilIdle();
  expect([await load(fan, copyId), await load(buyer, laterId), await load(creator, mediaId)]).toEqual([200, 200, 200]);
  expect((await listMails(buyer.email)).at(-1)).toContain('We restored a file');
  const alerts = (await get(fan, 'notifications'))
    .json()
    .data.filter(({ kind }: { kind: string }) => kind === 'duplicateTakedown');
  expect(alerts.map(({ text }: { text: string }) => text)).toEqual(['Your file was restored', 'Your file was removed']);
});

async function listTakenDown(...ids: string[]): Promise<boolean[]> {
  const rows = await app.ctx.db.query
    .selectFrom('media')
    .select(['id', 'taken_down_at'])
    .where('id', 'in', ids)
    .execute();
  return ids.map((id) => rows.some((row) => row.id === id && row.taken_down_at !== null));
}

test('a copy uploaded after a removal is taken down, its owner is notified and one case is opened', async () => {
  const file = await createPictureFile({ seed: 77, width: 300 });
  const first = await importPicture(app.ctx, creator.id, file);
  const postId = await makePost(app.ctx, creator.id, { mediaIds: [first] });
  const caseId = await createReportedCase(app, fan, { user: creator, type: 'post', typeId: postId });
  const removed = (await decideCaseAs(operator, caseId, { action: 'remove' })).json();
  const later = [await importPicture(app.ctx, buyer.id, file), await importPicture(app.ctx, buyer.id, file)];
  await app.ctx.events.waitUntilIdle();
  expect(await listTakenDown(...later)).toEqual([true, true]);
  const userCases = (await get(operator, `admin/cases?q=${buyer.username}`)).json().data;
  expect(userCases).toMatchObject([
    { title: `Removed file uploaded again: @${buyer.username}`, state: 'open', reports: 0 },
  ]);
  const { entries } = (await get(operator, `admin/cases/${userCases[0].id}`)).json();
  expect(entries).toMatchObject([{ kind: 'note', author: null, text: expect.stringContaining(removed.reference) }]);
  const mails = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where('recipient', '=', buyer.email)
    .where('subject', '=', 'About one of your files')
    .execute();
  expect(mails).toHaveLength(2);
  await undoLast(removed);
  const releasedCopy = await importPicture(app.ctx, fan.id, file);
  await app.ctx.events.waitUntilIdle();
  expect(await listTakenDown(...later, releasedCopy)).toEqual([false, false, false]);
  expect((await get(operator, `admin/cases?q=${fan.username}`)).json().data).toHaveLength(1);
});

test('a copyright removal also takes down later copies of the same user, but not of others', async () => {
  const file = await createPictureFile({ seed: 78, width: 300 });
  const postId = await makePost(app.ctx, creator.id, { mediaIds: [await importPicture(app.ctx, creator.id, file)] });
  const notice = await app.inject('POST', '/api/public/copyright-notices', {
    ...{ name: 'Cleo Marsh', email: 'cleo@example.com', address: '4 Quay Street', telephone: '+44 117 496 0000' },
    ...{ work: 'My photograph.', urls: `/post/${postId}`, signature: 'Cleo Marsh' },
    ...{ isGoodFaith: true, isAccurate: true },
  });
  await decideCaseAs(operator, await getCaseId(app, notice.json().cases[0].reference), { action: 'remove' });
  const [ownCopy, otherCopy] = [
    await importPicture(app.ctx, creator.id, file),
    await importPicture(app.ctx, buyer.id, file),
  ];
  await app.ctx.events.waitUntilIdle();
  expect(await listTakenDown(ownCopy, otherCopy)).toEqual([true, false]);
  expect((await get(operator, `admin/cases?q=${buyer.username}`)).json().data).toEqual([]);
});
