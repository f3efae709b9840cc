import { randomUUID } from 'node:crypto';
import { type LIBRARY_TYPES, listMedia, mediaDetail } from '@stagedoor/contract/content/media.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { createDeposit } from '../../../ledger/ledger/testing.ts';
import { makeReadyPicture, makeReadyStream, publishPost } from '../testing.ts';

let test: TestApp;
let creator: TestUser;
let other: TestUser;
let fan: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  [creator, other, fan] = await Promise.all([test.signUp('creator'), test.signUp('creator'), test.signUp('customer')]);
  await createDeposit(test.ctx.db, fan.id, 5_000);
});
afterAll(() => test.close());

type Query = { type?: (typeof LIBRARY_TYPES)[number]; use?: string; search?: string; limit?: number; offset?: string };
async function list(query: Query = {}, as = creator) {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const response = await as.inject('GET', `/api/creator/media?${search}`);
  expect(response.statusCode, response.body).toBe(200);
  const page = z.parse(listMedia.response, response.json());
  return { ...page, ids: page.data.map(({ media }) => String(media.id)) };
}
const edit = (id: string, body: object, as = creator) => as.inject('PATCH', `/api/creator/media/${id}`, body);

describe('the media library', () => {
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const { ctx } = test;
    ids.single = await makeReadyPicture(ctx, creator.id);
    ids.first = await makeReadyPicture(ctx, creator.id);
    ids.second = await makeReadyPicture(ctx, creator.id);
    ids.film = await makeReadyStream(ctx, creator.id, { kind: 'video', seconds: 90 });
    ids.song = await makeReadyStream(ctx, creator.id, { kind: 'audio', seconds: 30 });
    ids.spare = await makeReadyPicture(ctx, creator.id);
    ids.theirs = await makeReadyPicture(ctx, other.id);
    await publishPost(creator, [ids.single]);
    ids.set = await publishPost(creator, [ids.first, ids.second]);
  });

  it('lists newest first, filters by type and use with exact counts, and pages', async () => {
    const { single = '', first = '', second = '', film = '', song = '', spare = '', set = '' } = ids;
    const all = await list();
    expect([all.ids, all.totalCount]).toEqual([[spare, song, film, second, first, single], 6]);
    expect(all.data.map(({ postId }) => postId)[3]).toBe(set);
    const expected: [Query, string[]][] = [
      [{ type: 'picture' }, [spare, single]],
      [{ type: 'pictureSet' }, [second, first]],
      [{ type: 'video' }, [film]],
      [{ type: 'audio' }, [song]],
      [{ use: 'used' }, [second, first, single]],
      [{ use: 'unused' }, [spare, song, film]],
      [{ type: 'picture', use: 'unused' }, [spare]],
      [{ type: 'video', use: 'used' }, []],
    ];
    for (const [query, expectedIds] of expected) {
      const page = await list(query);
      expect([page.ids, page.totalCount], JSON.stringify(query)).toEqual([expectedIds, expectedIds.length]);
    }
    const pages: string[] = [];
    let offset: string | undefined = '0';
    while (offset !== undefined) {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: 2, offset });
      pages.push(...page.ids);
      offset = page.nextOffset;
    }
    expect(pages).toEqual(all.ids);
    expect((await list({}, other)).ids).toEqual([ids.theirs]);
  });

  it('searches titles, tags and file names literally, also by short words, within the owner’s media only', async () => {
    const { single = '', film = '', theirs = '' } = ids;
    await edit(film, { title: 'Über den Dächern 100%', tags: ['Wien', 'nacht'] });
    await edit(single, { tags: ['wien'] });
    await edit(theirs, { title: 'Über Wien' }, other);
    expect((await list({ search: 'WIEN' })).ids).toEqual([film, single]);
    expect((await list({ search: 'den däch' })).ids).toEqual([film]);
    expect((await list({ search: 'na' })).ids).toEqual([film]);
    expect((await list({ search: 'ch' })).ids).toEqual([]);
    expect((await list({ search: '100%' })).ids).toEqual([film]);
    expect((await list({ search: '10_%' })).ids).toEqual([]);
    for (const search of ['uber', 'ÜBER', 'dach'])
      expect([search, (await list({ search })).ids]).toEqual([search, [film]]);
    await edit(single, { title: '京都の山田花子 ΟΔΟΣ', tags: ['wien'] });
    for (const search of ['花子', '花', '山田花子', '京都', 'οδος', 'οδ'])
      expect([search, (await list({ search })).ids]).toEqual([search, [single]]);
    expect((await list({ search: '花田' })).ids).toEqual([]);
    expect((await list({ search: 'wien', type: 'video' })).totalCount).toBe(1);
    expect((await list({ search: String.raw`\ '; drop` })).ids).toEqual([]);
  });

  it('names the drafts of a file until one of them is published', async () => {
    const id = await makeReadyPicture(test.ctx, other.id);
    const findItem = async () => (await list({}, other)).data.find(({ media }) => media.id === id);
    const createDraft = async () => (await other.inject('POST', '/api/creator/drafts', { media: [{ id }] })).json();
    expect(await findItem()).toMatchObject({ postId: null, draftIds: [] });
    const [first, second] = [await createDraft(), await createDraft()];
    expect((await findItem())?.draftIds.map(String).toSorted()).toEqual([first.id, second.id].toSorted());
    const path = `/api/creator/drafts/${first.id}/publish`;
    const published = await other.inject('POST', path, { version: first.version });
    expect(published.statusCode, published.body).toBe(200);
    expect(await findItem()).toMatchObject({ postId: published.json().id, draftIds: [], media: { isUsed: true } });
  });

  it('keeps its counts exact through uploads, posts and deletions', async () => {
    const id = await makeReadyPicture(test.ctx, creator.id);
    expect((await list({ type: 'picture' })).totalCount).toBe(3);
    expect((await creator.inject('DELETE', `/api/creator/media/${id}`)).statusCode).toBe(200);
    expect((await list({ type: 'picture' })).totalCount).toBe(2);
    const { rows } = await test.ctx.db.pool.query(
      `select (select sum(v.value::int) from media_counts c, jsonb_each_text(c.counts) v where c.owner_id = $1) as counted,
        (select count(*) from media where owner_id = $1 and status <> 'uploading') as there`,
      [creator.id],
    );
    expect(Number(rows[0].counted)).toBe(Number(rows[0].there));
  });
});

describe('one upload', () => {
  it('shows where it is used and what it earned', async () => {
    const id = await makeReadyPicture(test.ctx, creator.id);
    const unused = z.parse(mediaDetail, (await creator.inject('GET', `/api/creator/media/${id}`)).json());
    expect(unused).toMatchObject({ uses: [], buyerCount: 0, earned: 0, isUsed: false });
    const postId = await publishPost(creator, [id], { price: 10, caption: '\nFirst line\nmore' });
    const bought = await fan.inject('POST', `/api/post/unlock/${postId}`, {}, { 'idempotency-key': randomUUID() });
    expect(bought.statusCode).toBe(200);
    const used = z.parse(mediaDetail, (await creator.inject('GET', `/api/creator/media/${id}`)).json());
    expect(used).toMatchObject({ isUsed: true, buyerCount: 1 });
    expect(used.uses).toEqual([
      expect.objectContaining({
        kind: 'post',
        href: `/post/${postId}`,
        title: 'First line',
        price: 10,
        isRemoved: false,
        buyerCount: 1,
        earned: used.earned,
      }),
    ]);
    expect(used.earned).toBeGreaterThan(5);
    expect((await creator.inject('DELETE', `/api/creator/media/${id}`)).json().code).toBe('CONFLICT');
    expect((await other.inject('GET', `/api/creator/media/${id}`)).statusCode).toBe(404);
    expect((await edit(id, { title: 'mine' }, other)).statusCode).toBe(404);
  });

  it('updates only the given ones of title, tags and price, and has no teaser if it is a picture', async () => {
    const id = await makeReadyPicture(test.ctx, creator.id);
    expect((await edit(id, { title: ' Dusk ', tags: ['Light', 'light', 'sea'], price: 12.5 })).json()).toMatchObject({
      title: 'Dusk',
      tags: ['light', 'sea'],
      price: 12.5,
    });
    expect((await edit(id, { tags: [] })).json()).toMatchObject({ title: 'Dusk', tags: [], price: 12.5 });
    expect((await edit(id, {})).json()).toMatchObject({ title: 'Dusk', price: 12.5 });
    expect((await edit(id, { price: 2 })).statusCode).toBe(400);
    expect((await edit(id, { title: 'x'.repeat(121) })).statusCode).toBe(400);
    expect((await edit(id, { teaser: { start: 0, end: 5 } })).json().code).toBe('CONFLICT');
    expect((await edit(id, { posterSecond: 1 })).json().code).toBe('CONFLICT');
  });
});

it('the playback position is stored only for media that the viewer may see and that are longer than a minute', async () => {
  const long = await makeReadyStream(test.ctx, creator.id, { kind: 'video', seconds: 600 });
  const short = await makeReadyStream(test.ctx, creator.id, { kind: 'audio', seconds: 45 });
  await publishPost(creator, [long]);
  await publishPost(creator, [short]);
  const locked = await makeReadyStream(test.ctx, creator.id, { kind: 'video', seconds: 600 });
  await publishPost(creator, [locked], { price: 5 });
  const savePosition = (id: string, seconds: number, as = fan) =>
    as.inject('PUT', `/api/media/${id}/position`, { seconds });
  const readPosition = async (id: string, as = fan) => (await as.inject('GET', `/api/media/${id}/position`)).json();
  expect(await readPosition(long)).toEqual({ seconds: 0 });
  expect((await savePosition(long, 123.4)).json()).toEqual({ seconds: 123.4 });
  expect(await readPosition(long)).toEqual({ seconds: 123.4 });
  expect(await readPosition(long, creator)).toEqual({ seconds: 0 });
  expect((await savePosition(long, 595)).json()).toEqual({ seconds: 0 });
  expect(await readPosition(long)).toEqual({ seconds: 0 });
  expect((await savePosition(short, 20)).json()).toEqual({ seconds: 0 });
  expect((await savePosition(locked, 20)).statusCode).toBe(404);
  expect((await readPosition(locked)).code).toBe('NOT_FOUND');
  expect((await savePosition(locked, 20, creator)).json()).toEqual({ seconds: 20 });
  expect((await savePosition(long, -1)).statusCode).toBe(400);
});
