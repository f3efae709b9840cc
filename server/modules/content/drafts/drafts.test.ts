import { randomUUID } from 'node:crypto';
import { type Draft, draft as draftView, listDrafts, previewDraft } from '@stagedoor/contract/content/drafts.ts';
import { post as postView } from '@stagedoor/contract/content/posts.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { blockAccount } from '../../identity/accounts/index.ts';
import { makeReadyPicture, setMediaStatus } from '../media/testing.ts';
import { publishScheduledDraft } from './publish.ts';
import { createDraftAs, listPublishedPosts, listPublishJobs } from './testing.ts';

let test: TestApp;
let creator: TestUser;
let other: TestUser;
const publishedIds: string[] = [];

beforeAll(async () => {
  test = await createTestApp();
  const subject = () => 'test';
  test.ctx.events.addBroadcastHandler(
    'post.published',
    'test.listen',
    subject,
    ({ payload }) => void publishedIds.push(payload.postId),
  );
  [creator, other] = await Promise.all([test.signUp('creator'), test.signUp('creator')]);
});
afterAll(() => test.close());

const HOUR_MS = 3_600_000;
const toTimeInHours = (hours: number) => new Date(test.clock.now().getTime() + hours * HOUR_MS).toISOString();
const picture = () => makeReadyPicture(test.ctx, creator.id);
const postDraft = (body: object, headers = {}) => creator.inject('POST', '/api/creator/drafts', body, headers);
const createDraft = (body: object) => createDraftAs(creator, body);
const createScheduled = async (body: object = {}) =>
  createDraft({ caption: 'Tonight', media: [{ id: await picture() }], scheduledAt: toTimeInHours(2), ...body });
const runAtScheduledTime = async ({ id, scheduledAt }: Pick<Draft, 'id' | 'scheduledAt'>) => {
  await publishScheduledDraft(test.ctx, { draftId: id, scheduledAt: scheduledAt ?? '' });
};
const getDraft = async (id: string) => creator.inject('GET', `/api/creator/drafts/${id}`);
const updateDraft = (id: string, body: object, as = creator) => as.inject('PUT', `/api/creator/drafts/${id}`, body);

describe('saving a draft', () => {
  it('accepts an empty and a complete draft, and returns the same draft for the same key', async () => {
    expect(await createDraft({})).toMatchObject({
      version: 1,
      caption: '',
      price: 0,
      media: [],
      tags: [],
      people: [],
      scheduledAt: null,
      failure: null,
    });
    const [a, b] = [await picture(), await picture()];
    await setMediaStatus(test.ctx, b, 'processing');
    const body = {
      caption: 'One\ntwo',
      price: 7.5,
      media: [{ id: b, alt: 'B' }, { id: a }],
      tags: ['Ink'],
      people: [other.id],
    };
    const key = { 'idempotency-key': randomUUID() };
    const responses = await Promise.all([postDraft(body, key), postDraft(body, key), postDraft(body, key)]);
    const drafts = responses.map((response) => z.parse(draftView, response.json()));
    expect(new Set(drafts.map(({ id }) => id)).size).toBe(1);
    expect(drafts[0]).toMatchObject({ title: 'One', price: 7.5, tags: ['ink'], people: [{ id: other.id }] });
    expect(drafts[0]?.media.map(({ media, alt }) => [media.id, media.status, alt])).toEqual([
      [b, 'processing', 'B'],
      [a, 'ready', ''],
    ]);
    expect((await postDraft({ ...body, caption: 'Else' }, key)).json()).toMatchObject({ code: 'CONFLICT' });
  });

  it('refuses media of other users and content that could never be published', async () => {
    const foreignMediaId = await makeReadyPicture(test.ctx, other.id);
    const own = await picture();
    expect((await postDraft({ media: [{ id: foreignMediaId }] })).statusCode).toBe(404);
    expect((await postDraft({ media: [{ id: randomUUID() }] })).statusCode).toBe(404);
    for (const body of [
      { media: [{ id: own }, { id: own }] },
      { people: [creator.id] },
      { price: 1 },
      { caption: 'x'.repeat(4_001) },
    ])
      expect((await postDraft(body)).statusCode).toBe(400);
  });

  it('returns 404 to every other user', async () => {
    const { id, version } = await createDraft({ caption: 'Mine' });
    for (const response of [
      await other.inject('GET', `/api/creator/drafts/${id}`),
      await updateDraft(id, { caption: 'Yours', version }, other),
      await other.inject('DELETE', `/api/creator/drafts/${id}`),
      await other.inject('POST', `/api/creator/drafts/${id}/publish`, { version }),
    ])
      expect(response.statusCode).toBe(404);
    expect((await getDraft(id)).json().caption).toBe('Mine');
    expect((await other.inject('GET', '/api/creator/drafts')).json().totalCount).toBe(0);
  });

  it('refuses the second of two concurrent edits, and accepts identical content again', async () => {
    const { id, version } = await createDraft({ caption: 'First' });
    const responses = await Promise.all([
      updateDraft(id, { caption: 'Left', version }),
      updateDraft(id, { caption: 'Right', version }),
    ]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const current = (await getDraft(id)).json();
    expect(current.version).toBe(2);
    expect((await updateDraft(id, { caption: current.caption, version })).json()).toMatchObject({ version: 2 });
    expect((await updateDraft(id, { caption: 'Third', version: 2 })).json()).toMatchObject({
      version: 3,
      caption: 'Third',
    });
  });

  it('lists drafts by their latest change and scheduled posts by their time, page by page', async () => {
    const lister = await test.signUp('creator');
    const ids: Record<string, string> = {};
    for (const [name, hours] of [
      ['a', null],
      ['b', null],
      ['c', null],
      ['late', 9],
      ['soon', 3],
    ] as const) {
      test.clock.advance(1_000);
      const media = hours === null ? [] : [{ id: await makeReadyPicture(test.ctx, lister.id) }];
      const body = { caption: name, media, scheduledAt: hours === null ? null : toTimeInHours(hours) };
      ids[name] = (await lister.inject('POST', '/api/creator/drafts', body)).json().id;
    }
    test.clock.advance(1_000);
    await updateDraft(ids.a ?? '', { caption: 'a', tags: ['x'], version: 1 }, lister);
    const walk = async (state: string) => {
      const seen: string[] = [];
      for (let offset: string | undefined = '0'; offset !== undefined; ) {
        const response = await lister.inject('GET', `/api/creator/drafts?state=${state}&limit=2&offset=${offset}`);
        const page = z.parse(listDrafts.response, response.json());
        expect(page.totalCount).toBe(state === 'draft' ? 3 : 2);
        seen.push(...page.data.map(({ caption }) => caption));
        offset = page.nextOffset;
      }
      return seen;
    };
    expect(await walk('draft')).toEqual(['a', 'c', 'b']);
    expect(await walk('scheduled')).toEqual(['soon', 'late']);
  });

  it('protects its media from deletion, and keeps them when the draft is deleted', async () => {
    const mediaId = await picture();
    const { id } = await createDraft({ media: [{ id: mediaId }] });
    expect((await creator.inject('DELETE', `/api/creator/media/${mediaId}`)).json()).toMatchObject({
      code: 'CONFLICT',
    });
    expect((await creator.inject('DELETE', `/api/creator/drafts/${id}`)).statusCode).toBe(200);
    expect((await getDraft(id)).statusCode).toBe(404);
    expect((await creator.inject('DELETE', `/api/creator/drafts/${id}`)).statusCode).toBe(404);
    expect((await creator.inject('DELETE', `/api/creator/media/${mediaId}`)).statusCode).toBe(200);
  });
});

describe('publishing a draft', () => {
  it('makes a post with its own id, once for the same key, and deletes the draft', async () => {
    const mediaId = await picture();
    const { id, version } = await createDraft({
      caption: 'Now',
      price: 5,
      media: [{ id: mediaId, alt: 'A' }],
      tags: ['ink'],
      people: [other.id],
    });
    test.clock.advance(5_000);
    const key = { 'idempotency-key': randomUUID() };
    const publish = () => creator.inject('POST', `/api/creator/drafts/${id}/publish`, { version }, key);
    const responses = await Promise.all([publish(), publish()]);
    const posts = [...responses, await publish()].map((response) => z.parse(postView, response.json()));
    expect(new Set(posts.map((post) => post.id)).size).toBe(1);
    expect(posts[0]?.id).not.toBe(id);
    expect(posts[0]).toMatchObject({
      caption: 'Now',
      price: 5,
      tags: ['ink'],
      people: [{ id: other.id }],
      createdAt: test.clock.now().toISOString(),
    });
    expect((await getDraft(id)).statusCode).toBe(404);
    await test.ctx.events.waitUntilIdle();
    expect(publishedIds.filter((each) => each === posts[0]?.id)).toHaveLength(1);
  });

  it('refuses an outdated version, an empty draft and unfinished media, and keeps the draft', async () => {
    const mediaId = await picture();
    await setMediaStatus(test.ctx, mediaId, 'processing');
    const { id, version } = await createDraft({ media: [{ id: mediaId }] });
    const publish = (from: number) => creator.inject('POST', `/api/creator/drafts/${id}/publish`, { version: from });
    expect((await publish(version + 1)).statusCode).toBe(409);
    expect((await publish(version)).statusCode).toBe(409);
    const empty = await createDraft({ caption: 'Words alone' });
    expect((await creator.inject('POST', `/api/creator/drafts/${empty.id}/publish`, { version: 1 })).statusCode).toBe(
      400,
    );
    await setMediaStatus(test.ctx, mediaId, 'ready');
    expect((await publish(version)).statusCode).toBe(200);
  });

  it('gives a picture that two drafts contain to one of them', async () => {
    const media = [{ id: await picture() }];
    const drafts = [await createDraft({ caption: 'L', media }), await createDraft({ caption: 'R', media })];
    const responses = await Promise.all(
      drafts.map(({ id }) => creator.inject('POST', `/api/creator/drafts/${id}/publish`, { version: 1 })),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });
});

describe('the preview of a draft', () => {
  const preview = (id: string, as = creator) => as.inject('GET', `/api/creator/drafts/${id}/preview`);

  it('shows the ready media as a buyer sees them, and locked without the address of any open file', async () => {
    const [ready, unready] = [await picture(), await picture()];
    await setMediaStatus(test.ctx, unready, 'processing');
    const media = [{ id: unready }, { id: ready, alt: 'A' }];
    const { id } = await createDraft({ caption: 'Soon', price: 5, media, people: [other.id], tags: ['ink'] });
    const response = await preview(id);
    const { open, locked } = z.parse(previewDraft.response, response.json());
    const shared = { caption: 'Soon', price: 5, mediaCount: 1, tags: ['ink'], people: [{ id: other.id }] };
    expect(open).toMatchObject({
      ...shared,
      isUnlocked: true,
      isPurchased: true,
      media: [{ id: ready, isLocked: false }],
    });
    expect(locked).toMatchObject({ ...shared, isUnlocked: false, isPurchased: false, media: [{ isLocked: true }] });
    expect(JSON.stringify(locked)).not.toMatch(/\/m\/|asset/);
    expect((await preview(id, other)).statusCode).toBe(404);
    expect((await test.inject('GET', `/api/post/${id}`)).statusCode).toBe(404);
  });

  it('has no locked version for a free draft, and is refused for an empty one', async () => {
    const free = await createDraft({ media: [{ id: await picture() }] });
    expect((await preview(free.id)).json()).toMatchObject({ open: { isUnlocked: true, price: 0 }, locked: null });
    const empty = await createDraft({ caption: 'Words' });
    expect((await preview(empty.id)).statusCode).toBe(409);
  });
});

describe('scheduling a draft', () => {
  it('refuses times in the past or beyond a year, empty drafts, and failed media', async () => {
    const failed = await picture();
    await setMediaStatus(test.ctx, failed, 'failed');
    const media = [{ id: await picture() }];
    for (const [body, status] of [
      [{ media, scheduledAt: toTimeInHours(-1) }, 400],
      [{ media, scheduledAt: test.clock.now().toISOString() }, 400],
      [{ media, scheduledAt: toTimeInHours(24 * 366) }, 400],
      [{ media, scheduledAt: 'tomorrow' }, 400],
      [{ scheduledAt: toTimeInHours(1) }, 400],
      [{ media: [{ id: failed }], scheduledAt: toTimeInHours(1) }, 409],
    ] as const)
      expect((await postDraft(body)).statusCode).toBe(status);
  });

  it('publishes once at the time set last, however often the job runs', async () => {
    const first = await createScheduled({ caption: 'Moved twice' });
    const moved = z.parse(
      draftView,
      (
        await updateDraft(first.id, {
          caption: 'Moved twice',
          media: first.media.map(({ media }) => ({ id: media.id })),
          scheduledAt: toTimeInHours(5),
          version: 1,
        })
      ).json(),
    );
    expect((await listPublishJobs(test, first.id)).map(({ run_at }) => run_at.toISOString())).toEqual([
      moved.scheduledAt,
    ]);
    await runAtScheduledTime(first);
    expect((await getDraft(first.id)).statusCode).toBe(200);
    test.clock.advance(5 * HOUR_MS);
    await Promise.all([runAtScheduledTime(moved), runAtScheduledTime(moved), runAtScheduledTime(moved)]);
    await runAtScheduledTime(moved);
    const publishedPosts = (await listPublishedPosts(creator)).filter(({ caption }) => caption === 'Moved twice');
    expect(publishedPosts).toHaveLength(1);
    expect(publishedPosts[0]?.createdAt).toBe(test.clock.now().toISOString());
    expect((await getDraft(first.id)).statusCode).toBe(404);
  });

  it('publishes at most once when its creator publishes, changes or deletes it at the same moment', async () => {
    for (const change of [
      (draft: Draft) => creator.inject('POST', `/api/creator/drafts/${draft.id}/publish`, { version: 1 }),
      (draft: Draft) => creator.inject('DELETE', `/api/creator/drafts/${draft.id}`),
      (draft: Draft) =>
        updateDraft(draft.id, {
          caption: draft.caption,
          media: draft.media.map(({ media }) => ({ id: media.id })),
          version: 1,
        }),
    ]) {
      const caption = `Race ${randomUUID()}`;
      const draft = await createScheduled({ caption });
      test.clock.advance(2 * HOUR_MS);
      const [response] = await Promise.all([change(draft), runAtScheduledTime(draft)]);
      expect([200, 404]).toContain(response.statusCode);
      const posts = (await listPublishedPosts(creator)).filter((post) => post.caption === caption);
      const left = (await getDraft(draft.id)).statusCode === 200 ? 1 : 0;
      const isDeletion = change.toString().includes('DELETE') && response.statusCode === 200;
      expect(posts.length + left).toBe(isDeletion ? 0 : 1);
    }
  });

  it('waits for unfinished media, and reports a failure when they never finish', async () => {
    const mediaId = await picture();
    await setMediaStatus(test.ctx, mediaId, 'processing');
    const draft = await createScheduled({ caption: 'Waits', media: [{ id: mediaId }] });
    test.clock.advance(2 * HOUR_MS);
    await runAtScheduledTime(draft);
    expect(
      (await listPublishJobs(test, draft.id)).map(({ run_at }) => run_at.getTime() - test.clock.now().getTime()),
    ).toEqual([15_000]);
    expect((await getDraft(draft.id)).json()).toMatchObject({ scheduledAt: draft.scheduledAt, failure: null });
    test.clock.advance(7 * HOUR_MS);
    await runAtScheduledTime(draft);
    expect((await getDraft(draft.id)).json()).toMatchObject({
      scheduledAt: null,
      failure: 'One of the files isn’t ready.',
      version: 2,
    });
    await setMediaStatus(test.ctx, mediaId, 'ready');
    await runAtScheduledTime(draft);
    expect((await getDraft(draft.id)).statusCode).toBe(200);
    expect((await updateDraft(draft.id, { caption: 'Again', version: 2 })).json()).toMatchObject({ failure: null });
  });

  it.each<[string, (draft: Draft) => Promise<unknown>, RegExp]>([
    ['media failed', ({ media }) => setMediaStatus(test.ctx, media[0]?.media.id ?? '', 'failed'), /isn’t ready/],
    [
      'the price is out of bounds now',
      ({ id }) => test.ctx.db.query.updateTable('drafts').set({ price_cents: 100 }).where('id', '=', id).execute(),
      /between \$3\.00 and \$50\.00/,
    ],
    [
      'media were used elsewhere',
      async ({ media }) => creator.inject('POST', '/api/post', { price: 0, media: [{ id: media[0]?.media.id }] }),
      /another post/,
    ],
  ])('turns it back into a draft with the reason when %s', async (_, breakDraft, pattern) => {
    const draft = await createScheduled();
    await breakDraft(draft);
    const before = (await listPublishedPosts(creator)).length;
    await runAtScheduledTime(draft);
    const after = z.parse(draftView, (await getDraft(draft.id)).json());
    expect(after.scheduledAt).toBeNull();
    expect(after.failure).toMatch(pattern);
    await test.ctx.events.waitUntilIdle();
    const [alert] = (await creator.inject('GET', '/api/notifications')).json().data;
    expect(alert).toMatchObject({ kind: 'scheduledFailed', detail: after.failure });
    expect(await listPublishedPosts(creator)).toHaveLength(before);
    const { data } = (await creator.inject('GET', '/api/creator/drafts?limit=50')).json();
    expect(data.map(({ id }: Draft) => id)).toContain(draft.id);
  });

  it('publishes nothing of a blocked creator', async () => {
    const blocked = await test.signUp('creator');
    const media = [{ id: await makeReadyPicture(test.ctx, blocked.id) }];
    const draft = await createDraftAs(blocked, { media, scheduledAt: toTimeInHours(1) });
    await blockAccount(test.ctx, blocked.id, 'charged back twice');
    await runAtScheduledTime(draft);
    expect(
      await test.ctx.db.query.selectFrom('posts').select('id').where('creator_id', '=', blocked.id).execute(),
    ).toEqual([]);
  });

  it('publishes through the real job, also when the time passed while no process ran', async () => {
    // Jobs run by the clock of the database.
    test.clock.set(new Date(Date.now() - 60_000));
    const draft = await createScheduled({
      caption: 'By the job',
      scheduledAt: new Date(test.clock.now().getTime() + 1).toISOString(),
    });
    await test.ctx.jobs.start();
    await expect.poll(async () => (await getDraft(draft.id)).statusCode, { timeout: 30_000 }).toBe(404);
    expect((await listPublishedPosts(creator)).filter(({ caption }) => caption === 'By the job')).toHaveLength(1);
  });
});
