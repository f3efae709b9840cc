import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { profile as profileView } from '@stagedoor/contract/content/profiles.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from '../follows/testing.ts';
import { createPictureFile } from '../media/testing.ts';
import { toLikePatterns } from './search.ts';
import { countProfileView, flushProfileViews } from './view-counts.ts';

let test: TestApp;
let fan: TestUser;
let ines: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  fan = await test.signUp('customer');
  ines = await test.signUp('creator', { name: 'Inês Åkerlund', username: 'ines.cello' });
});
afterAll(() => test.close());

const body = {
  name: 'Inês Åkerlund',
  craft: 'Cello',
  city: 'Évora',
  bio: 'Plays 100% gut strings_',
  category: 'Music',
  links: [{ network: 'youtube', url: 'https://www.youtube.com/@ines' }],
  customLinks: [{ label: 'Sheet music', url: 'https://example.com/ines' }],
  layout: 'hero',
  shape: 'round',
  format: 'col',
};
const findCreators = async (query: string, as: { inject: TestApp['inject'] } = test) => {
  const response = await as.inject('GET', `/api/public/creators?${query}`);
  const page = response.json();
  return {
    status: response.statusCode,
    ids: (page.data ?? []).map(({ id }: { id: string }) => id) as string[],
    total: page.totalCount as number,
    next: page.nextOffset as string | undefined,
  };
};
function createForm(file?: Buffer, fields: Record<string, string> = {}, name = 'file') {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) data.set(key, value);
  if (file) data.set(name, new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), 'me.jpg');
  return data;
}
async function send(as: TestUser, url: string, data: FormData) {
  const request = new Request('http://localhost/', { method: 'POST', body: data });
  return as.inject('POST', url, Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type') ?? '',
  });
}
const storedFiles = async (prefix: string) =>
  readdir(path.join(test.ctx.config.dataDir, 'media', 'public', ...prefix.split('/'))).catch(() => []);

describe('editing a profile', () => {
  it('shows what was saved, by id and by username, and emits the change', async () => {
    const changedNames: string[] = [];
    test.ctx.events.addBroadcastHandler(
      'profile.changed',
      'test.listen',
      () => 'test',
      ({ payload }) => void changedNames.push(payload.username),
    );
    const saved = z.parse(profileView, (await ines.inject('PUT', '/api/creator/profile', body)).json());
    expect(saved).toMatchObject({
      ...body,
      id: ines.id,
      username: 'ines.cello',
      profileViewCount: 0,
      totalPostCount: 0,
      isFollowed: false,
      status: 'offline',
    });
    for (const id of [ines.id, 'ines.cello', 'INES.Cello']) {
      const { profileViewCount, ...shown } = (await test.inject('GET', `/api/public/profile/${id}`)).json();
      expect(profileViewCount).toBeUndefined();
      expect(shown).toMatchObject({ name: body.name, bio: body.bio, links: body.links, customLinks: body.customLinks });
    }
    await test.ctx.events.waitUntilIdle();
    expect(changedNames).toEqual(['ines.cello']);
  });

  it.each([
    ['two links of one network', { links: [...body.links, ...body.links] }, 'links'],
    ['a link that runs', { links: [{ network: 'x', url: 'javascript:alert(1)' }] }, 'links.0.url'],
    ['an unknown network', { links: [{ network: 'myspace', url: 'https://x.example' }] }, 'links.0.network'],
    ['an own link that runs', { customLinks: [{ label: 'Shop', url: 'javascript:alert(1)' }] }, 'customLinks.0.url'],
    [
      'an own link without a name',
      { customLinks: [{ label: ' ', url: 'https://example.com' }] },
      'customLinks.0.label',
    ],
    ['six own links', { customLinks: Array.from({ length: 6 }, () => body.customLinks?.[0]) }, 'customLinks'],
    ['no name', { name: '  ' }, 'name'],
    ['an endless text', { bio: 'x'.repeat(1001) }, 'bio'],
    ['an unknown layout', { layout: 'x' }, 'layout'],
  ])('refuses %s', async (_name, changes, field) => {
    expect((await ines.inject('PUT', '/api/creator/profile', { ...body, ...changes })).json()).toMatchObject({
      code: 'VALIDATION',
      error: [{ field }],
    });
  });

  it('is for creators only, and fans and unknown ids have no profile', async () => {
    expect((await fan.inject('PUT', '/api/creator/profile', body)).statusCode).toBe(403);
    for (const id of [fan.id, fan.username, randomUUID(), "x' or 1=1--", '%'])
      expect((await test.inject('GET', `/api/public/profile/${encodeURIComponent(id)}`)).statusCode).toBe(404);
  });

  it('gives each new avatar and cover a permanent address, and deletes the old files later', async () => {
    const first = z.parse(
      profileView,
      (await send(ines, '/api/creator/profile/avatar', createForm(await createPictureFile()))).json(),
    );
    const second = z.parse(
      profileView,
      (await send(ines, '/api/creator/profile/avatar', createForm(await createPictureFile({ seed: 2 })))).json(),
    );
    expect(second.avatarUrl).not.toBe(first.avatarUrl);
    const avatar = await test.inject('GET', second.avatarUrl ?? '');
    expect(avatar.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': expect.stringContaining('immutable'),
    });
    expect(await sharp(avatar.rawPayload).metadata()).toMatchObject({ width: 384, height: 384 });

    const { cover } = z.parse(
      profileView,
      (
        await send(
          ines,
          '/api/creator/profile/cover',
          createForm(await createPictureFile({ width: 2400, height: 800 })),
        )
      ).json(),
    );
    expect(cover).toMatchObject({ width: 2400, height: 800 });
    for (const address of [
      cover?.url ?? '',
      ...(cover?.sources[0]?.srcset ?? '').split(', ').map((entry) => entry.split(' ')[0] ?? ''),
    ]) {
      expect((await test.inject('GET', address)).statusCode).toBe(200);
    }
    expect(await storedFiles(`a/${ines.id}`)).toHaveLength(2);
    const { rows } = await test.ctx.db.pool.query(
      `select run_at > now() + interval '23 hours' as later from graphile_worker.jobs where task_identifier = 'media.discard'`,
    );
    expect(rows).toEqual([{ later: true }]);
  });

  it('refuses files that are not pictures or are too large, and requests without a form', async () => {
    const url = '/api/creator/profile/avatar';
    expect((await send(ines, url, createForm(Buffer.from('<svg/>')))).json()).toMatchObject({
      code: 'UNSUPPORTED_TYPE',
      message: expect.stringContaining('a drawing (SVG)'),
    });
    expect((await send(ines, url, createForm(Buffer.alloc(0)))).statusCode).toBe(415);
    expect((await send(ines, url, createForm(Buffer.alloc(20 * 1024 * 1024 + 1)))).json()).toMatchObject({
      code: 'TOO_LARGE',
    });
    expect((await send(ines, url, createForm())).json()).toMatchObject({ code: 'VALIDATION' });
    expect((await ines.inject('POST', url, { file: 'x' })).statusCode).toBe(415);
    expect((await send(ines, '/api/creator/profile/password', createForm())).statusCode).toBe(400);
    expect((await send(fan, url, createForm(await createPictureFile()))).statusCode).toBe(403);
  });

  it('lets fans and creators change name and avatar with one form', async () => {
    const changed = (
      await send(
        fan,
        '/api/customer/profile-update',
        createForm(await createPictureFile({ width: 300, height: 500 }), { name: ' Fân ' }, 'avatar'),
      )
    ).json();
    expect(changed).toMatchObject({
      id: fan.id,
      name: 'Fân',
      type: 'customer',
      avatarUrl: expect.stringContaining(`/media/public/a/${fan.id}/`),
    });
    expect(
      (await send(fan, '/api/customer/profile-update', createForm(undefined, { name: 'Only name' }))).json(),
    ).toMatchObject({ name: 'Only name', avatarUrl: changed.avatarUrl });
    expect(
      (await send(fan, '/api/customer/profile-update', createForm(undefined, { isAvatarRemoved: 'true' }))).json(),
    ).toMatchObject({ name: 'Only name', avatarUrl: null });
    expect(
      (await send(fan, '/api/customer/profile-update', createForm(undefined, { name: ' ' }))).json(),
    ).toMatchObject({
      code: 'VALIDATION',
      error: [{ field: 'name', message: 'Please enter name' }],
    });
    expect(
      (await send(ines, '/api/customer/profile-update', createForm(undefined, { name: body.name }))).json(),
    ).toMatchObject({ type: 'creator', name: body.name });
  });
});

describe('finding creators', () => {
  it('ignores accents, case and word order, and treats pattern characters literally', async () => {
    for (const search of [
      'ines',
      'INÊS',
      'akerlund ines',
      'evora cello',
      'gut strings',
      '100%',
      'strings_',
      'es.cel',
    ]) {
      expect((await findCreators(`search=${encodeURIComponent(search)}`)).ids).toEqual([ines.id]);
    }
    for (const search of ['%%', '_____', 'ines violin', "'; drop table users; --", '\\', '(select 1)']) {
      const results = await findCreators(`search=${encodeURIComponent(search)}`);
      expect([results.status, results.ids]).toEqual([200, []]);
    }
    expect((await findCreators(`search=${'x'.repeat(101)}`)).status).toBe(400);
    expect(toLikePatterns('a  b\tc d e f g')).toEqual(['%a%', '%b%', '%c%', '%d%', '%e%']);
  });

  it('filters, sorts and pages without gaps or duplicates', async () => {
    const made: TestUser[] = [];
    for (let index = 0; index < 12; index += 1) made.push(await test.signUp('creator'));
    const fans = await Promise.all(Array.from({ length: 3 }, () => test.signUp('customer')));
    for (const [index, each] of fans.entries())
      for (const creator of made.slice(0, index * 4)) await createFollow(test.ctx, each.id, creator.id);
    const walk = async (query: string, as?: TestUser) => {
      const seen: string[] = [];
      let offset = '0';
      for (;;) {
        const page = await findCreators(`${query}&limit=5&offset=${offset}`, as);
        seen.push(...page.ids);
        if (!page.next) return seen;
        offset = page.next;
      }
    };
    const all = [...made, ines].map(({ id }) => id);
    const newest = await walk('sort=new');
    expect(newest).toEqual(all.toSorted().reverse());
    const recommended = await walk('sort=recommended');
    expect(new Set(recommended)).toEqual(new Set(all));
    expect(recommended).toHaveLength(all.length);
    expect(new Set(recommended.slice(0, 4))).toEqual(new Set(all.slice(0, 4)));
    expect(await walk('category=Music')).toEqual([ines.id]);
    expect(await walk('category=Film')).toEqual([]);
    expect(new Set(await walk('sort=following', fans[2]))).toEqual(new Set(made.slice(0, 8).map(({ id }) => id)));
    expect(await walk('sort=following')).toEqual([]);
    expect(await walk('sort=online')).toEqual([]);
    expect((await findCreators('sort=new')).total).toBe(13);
    expect((await findCreators('sort=recommended&offset=10&limit=10')).ids).toEqual(recommended.slice(10));
    for (const bad of ['sort=best', 'category=Cars', 'offset=cYWFhYWFhYWE', 'limit=0'])
      expect((await findCreators(bad)).status).toBe(400);
    const card = (await fans[2]?.inject('GET', '/api/public/creators?sort=recommended&limit=1'))?.json().data[0];
    expect(card).toMatchObject({ isFollowed: true, followerCount: 2 });
  });

  it('leaves out creators who are blocked or have not confirmed their e-mail address', async () => {
    const blocked = await test.signUp('creator', { name: 'Zzblocked' });
    const unconfirmed = await test.signUp('creator', { name: 'Zzunconfirmed', isEmailVerified: false });
    await test.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', blocked.id).execute();
    expect((await findCreators('search=zz')).ids).toEqual([]);
    expect((await test.inject('GET', `/api/public/profile/${blocked.id}`)).statusCode).toBe(404);
    expect((await test.inject('GET', `/api/public/profile-follow/${blocked.id}`)).statusCode).toBe(404);
    expect((await test.inject('GET', `/api/public/profile/${unconfirmed.id}`)).statusCode).toBe(200);
  });
});

describe('the list of followed creators', () => {
  it('is sorted by time and by name, searched, and counted', async () => {
    const follower = await test.signUp('customer');
    const names = ['Élan', 'ábel', 'Zed', 'Mira'];
    const creators: TestUser[] = [];
    for (const name of names) {
      const creator = await test.signUp('creator', { name });
      creators.push(creator);
      test.clock.advance(1000);
      await createFollow(test.ctx, follower.id, creator.id);
    }
    const list = async (query: string) => {
      const page = (await follower.inject('GET', `/api/customer/following-list?${query}`)).json();
      return {
        names: page.data.map(({ name }: { name: string }) => name),
        total: page.totalCount,
        next: page.nextOffset,
      };
    };
    expect((await list('')).names).toEqual(['Mira', 'Zed', 'ábel', 'Élan']);
    expect((await list('sort=name')).names).toEqual(['ábel', 'Élan', 'Mira', 'Zed']);
    expect(await list('search=elan')).toEqual({ names: ['Élan'], total: 1, next: undefined });
    const first = await list('limit=3');
    expect(first).toMatchObject({ total: 4, next: '3' });
    expect((await list(`limit=3&offset=${first.next}`)).names).toEqual(['Élan']);
    expect((await follower.inject('GET', '/api/customer/following-counts')).json()).toEqual({
      following: 4,
      online: 0,
      muted: 0,
    });
    const firstMessage = { receiverId: creators[0]?.id, text: 'Good evening' };
    const { conversationId } = (await follower.inject('POST', '/api/message/text', firstMessage)).json().data;
    const mute = (isMuted: boolean) =>
      follower.inject('POST', `/api/message/mute-unmute/${conversationId}`, { isMuted });
    expect((await mute(true)).json()).toEqual({ success: true, isMuted: true });
    expect(await list('status=muted')).toEqual({ names: ['Élan'], total: 1, next: undefined });
    expect((await follower.inject('GET', '/api/customer/following-counts')).json().muted).toBe(1);
    await mute(false);
    expect((await list('status=muted')).total).toBe(0);
    expect((await follower.inject('GET', `/api/public/profile-follow/${creators[0]?.id}`)).json()).toEqual({
      isFollowed: true,
      totalFollowersCount: 1,
    });
    expect((await test.inject('GET', `/api/public/profile-follow/${creators[0]?.username}`)).json()).toEqual({
      isFollowed: false,
      totalFollowersCount: 1,
    });
    expect((await ines.inject('GET', '/api/customer/following-list')).statusCode).toBe(403);
  });
});

describe('profile views', () => {
  it('count each viewer once a day, without the owner, robots and reloads', async () => {
    const star = await test.signUp('creator');
    const openProfile = (as: { inject: TestApp['inject'] }, userAgent = 'Mozilla/5.0 (X11; Linux) Firefox/140') =>
      as.inject('GET', `/api/public/profile/${star.username}`, undefined, { 'user-agent': userAgent });
    const views = async () => {
      await flushProfileViews(test.ctx);
      return (await star.inject('GET', '/api/creator/profile')).json().profileViewCount;
    };
    await Promise.all([
      openProfile(fan),
      openProfile(fan),
      openProfile(test),
      openProfile(test),
      openProfile(star),
      openProfile(test, 'Googlebot/2.1'),
      openProfile(test, 'facebookexternalhit/1.1'),
      openProfile(test, ''),
    ]);
    expect(await views()).toBe(2);
    await openProfile(test, 'Mozilla/5.0 (iPhone) Safari/605');
    await openProfile(fan);
    expect(await views()).toBe(3);
    const visit = { actor: undefined, ip: '127.0.0.1' };
    countProfileView(test.ctx, { ...visit, idOrName: star.username, userAgent: 'Mozilla/5.0 (iPhone) Safari/605' });
    countProfileView(test.ctx, { ...visit, idOrName: star.username.toUpperCase(), userAgent: 'Mozilla/5.0 (iPad)' });
    countProfileView(test.ctx, { ...visit, idOrName: 'nobody.here', userAgent: 'Mozilla/5.0 (iPad)' });
    countProfileView(test.ctx, { ...visit, idOrName: fan.id, userAgent: 'Mozilla/5.0 (iPad)' });
    expect(await views()).toBe(4);
    test.clock.advance(24 * 60 * 60_000);
    await openProfile(fan);
    expect(await views()).toBe(5);
  });
});
