import { getOembed } from '@stagedoor/contract/content/profiles.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { isEmbed } from '../../../platform/http/http.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { importPicture } from '../media/index.ts';
import { createPictureFile, makeReadyPicture, makeReadyStream } from '../media/testing.ts';
import { makePost } from '../posts/testing.ts';
import { getFrameAncestors } from './embeds.ts';

let test: TestApp;
let creator: TestUser;
let origin: string;

beforeAll(async () => {
  test = await createTestApp();
  creator = await test.signUp('creator', { name: 'A "quoted" <b>&' });
  origin = test.ctx.config.publicUrl;
});
afterAll(() => test.close());

const responseSchema = getOembed.response;
async function fetchThumbnail(
  url: string,
  more = '',
): Promise<{ embed: z.infer<typeof responseSchema>; real: unknown }> {
  const embed = z.parse(responseSchema, (await fetchOembed(url, more)).json());
  const path = embed.thumbnail_url?.slice(origin.length) ?? '';
  const response = await test.inject('GET', path);
  expect(response.statusCode, path).toBe(200);
  const { width, height, format } = await sharp(response.rawPayload).metadata();
  return { embed, real: { thumbnail_width: width, thumbnail_height: height, format } };
}

const fetchOembed = (url: string, more = '', as: { inject: TestApp['inject'] } = test) =>
  as.inject('GET', `/api/oembed?url=${encodeURIComponent(url)}${more}`);

it('oEmbed returns a frame for a post and for a profile, within the requested size', async () => {
  const mediaIds = [await makeReadyPicture(test.ctx, creator.id, { hasFiles: true })];
  const caption = 'Hello "you" <script>\nrest';
  const id = await makePost(test.ctx, creator.id, { caption, priceCents: 500, mediaIds });
  const post = z.parse(getOembed.response, (await fetchOembed(`${origin}/post/${id}?utm=1`, '&maxwidth=320')).json());
  expect(post).toMatchObject({
    type: 'rich',
    title: 'Hello "you" <script>',
    width: 320,
    height: 600,
    author_url: `${origin}/profile/${creator.username}`,
    thumbnail_url: `${origin}/post/${id}.jpg`,
  });
  expect(post.html).toContain(
    `<iframe src="${origin}/embed/post/${id}" title="Hello &quot;you&quot; &lt;script&gt;" width="320"`,
  );
  expect((await fetchOembed(`${origin}/post/${id}`, '', creator)).json().type).toBe('rich');
  for (const name of [creator.username, creator.id]) {
    const profile = z.parse(getOembed.response, (await fetchOembed(`${origin}/profile/${name}/`)).json());
    expect(profile).toMatchObject({ title: 'A "quoted" <b>&', author_name: 'A "quoted" <b>&' });
    expect(profile.html).toContain(`src="${origin}/embed/profile/${creator.username}"`);
    expect(profile.html).not.toContain('<b>');
  }
});

it('oEmbed returns the exact size of the thumbnail of a profile, an open post and a locked post', async () => {
  for (const [width, height] of [
    [1599, 701],
    [800, 451],
  ] as const) {
    const maker = await test.signUp('creator');
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await createPictureFile({ width, height }))]), 'cover.jpg');
    const response = await maker.inject('POST', '/api/creator/profile/cover', form);
    expect(response.statusCode, response.body).toBe(200);
    const urls = [`${origin}/profile/${maker.username}`];
    for (const priceCents of [0, 900]) {
      const mediaId = await importPicture(
        test.ctx,
        maker.id,
        await createPictureFile({ width, height, seed: priceCents + 2 }),
      );
      urls.push(`${origin}/post/${await makePost(test.ctx, maker.id, { mediaIds: [mediaId], priceCents })}`);
    }
    for (const url of urls) {
      const { embed, real } = await fetchThumbnail(url);
      const { thumbnail_width: wide, thumbnail_height: high } = embed;
      expect(real, url).toEqual({ thumbnail_width: wide, thumbnail_height: high, format: 'jpeg' });
      expect(wide).toBe(url === urls[2] ? 640 : Math.min(width, 1080));
    }
  }
});

it('oEmbed returns the largest thumbnail within the requested size, or none', async () => {
  const maker = await test.signUp('creator');
  const form = new FormData();
  const file = await createPictureFile({ width: 1600, height: 900 });
  form.set('file', new Blob([new Uint8Array(file)]), 'cover.jpg');
  expect((await maker.inject('POST', '/api/creator/profile/cover', form)).statusCode).toBe(200);
  const profile = `${origin}/profile/${maker.username}`;
  for (const [more, wide] of [
    ['&maxwidth=2000', 1080],
    ['&maxwidth=1080&maxheight=608', 1080],
    ['&maxwidth=1079', 640],
    ['&maxwidth=2000&maxheight=300', 384],
    ['&maxwidth=96', 96],
    ['&maxwidth=95', undefined],
  ] as const) {
    if (wide === undefined) {
      expect(
        Object.keys((await fetchOembed(profile, more)).json()).filter((key) => key.startsWith('thumbnail')),
      ).toEqual([]);
      continue;
    }
    const { embed, real } = await fetchThumbnail(profile, more);
    expect(embed.thumbnail_width, more).toBe(wide);
    expect(real, more).toMatchObject({ thumbnail_width: wide, thumbnail_height: embed.thumbnail_height });
  }
  const mediaId = await importPicture(test.ctx, maker.id, file);
  const post = `${origin}/post/${await makePost(test.ctx, maker.id, { mediaIds: [mediaId] })}`;
  expect((await fetchThumbnail(post, '&maxwidth=1080')).embed.thumbnail_width).toBe(1080);
  expect(z.parse(responseSchema, (await fetchOembed(post, '&maxwidth=1079')).json()).thumbnail_url).toBeUndefined();
});

it('oEmbed returns the animated picture of a video once it exists, its still before, and none without a picture', async () => {
  const maker = await test.signUp('creator');
  const mediaId = await makeReadyStream(test.ctx, maker.id, { kind: 'video' });
  const url = `${origin}/post/${await makePost(test.ctx, maker.id, { mediaIds: [mediaId] })}`;
  expect(z.parse(responseSchema, (await fetchOembed(url)).json()).thumbnail_url).toBeUndefined();
  const flat = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#996655' } });
  await test.ctx.storage.put(`private/m/${mediaId}/1080.jpg`, await flat(1080, 608).jpeg().toBuffer(), 'image/jpeg');
  const still = await fetchThumbnail(url);
  expect(still.embed.thumbnail_url).toBe(`${url}.jpg`);
  expect(still.real).toMatchObject({ thumbnail_width: still.embed.thumbnail_width, thumbnail_height: 608 });
  await test.ctx.storage.put(`private/g/${mediaId}/7/open.gif`, await flat(320, 180).gif().toBuffer(), 'image/gif');
  await test.owner.pool.query(`update media set stream = jsonb_set(stream, '{clip}', '7') where id = $1`, [mediaId]);
  const moving = await fetchThumbnail(url);
  expect(moving.embed).toMatchObject({ thumbnail_url: `${url}.gif`, thumbnail_width: 320, thumbnail_height: 180 });
  expect(moving.real).toEqual({ thumbnail_width: 320, thumbnail_height: 180, format: 'gif' });
});

it('oEmbed returns 404 for all other addresses', async () => {
  const id = await makePost(test.ctx, creator.id);
  await creator.inject('DELETE', `/api/post/${id}`);
  for (const url of [
    `${origin}/post/${id}`,
    `${origin}/fan/wallet`,
    `${origin}/profile/nobody.here`,
    `https://evil.example/profile/${creator.username}`,
    `//evil.example/profile/${creator.username}`,
    `${origin}@evil.example/profile/${creator.username}`,
    'javascript:alert(1)',
    '',
  ])
    expect([url, (await fetchOembed(url)).statusCode]).toEqual([url, 404]);
  expect((await fetchOembed(`${origin}/profile/${creator.username}`, '&format=xml')).statusCode).toBe(400);
});

it('exactly three kinds of pages can be embedded', () => {
  for (const url of ['/embed/post/0189', '/embed/profile/demo.creator?theme=dark', '/embed/tip/demo.creator'])
    expect([url, isEmbed(url)]).toEqual([url, true]);
  for (const url of [
    '/embed',
    '/embed/',
    '/embed/post/',
    '/embed/post/..',
    '/embed/post/../../creator',
    '/embed/post/%2e%2e',
    '/embed/post/a/b',
    '/embed/tip/',
    '/embed/tip/a/b',
    '/embed/other/a',
    '/fan/feed?x=/embed/post/a',
    '//embed/post/a',
    '/EMBED/post/a',
  ])
    expect([url, isEmbed(url)]).toEqual([url, false]);
});

it('a creator chooses which sites may embed their work, and both the frame policy and oEmbed follow', async () => {
  const maker = await test.signUp('creator');
  const mediaIds = [await makeReadyPicture(test.ctx, maker.id, { hasFiles: true })];
  const id = await makePost(test.ctx, maker.id, { caption: 'Locked', priceCents: 700, mediaIds });
  const set = (body: object) => maker.inject('PUT', '/api/creator/embeds', body);
  const listFrameAncestors = () =>
    Promise.all(
      [`/embed/post/${id}`, `/embed/profile/${maker.username}?theme=dark`, `/embed/tip/${maker.id}`].map((url) =>
        getFrameAncestors(test.ctx, url),
      ),
    );
  expect((await maker.inject('GET', '/api/creator/embeds')).json()).toEqual({ allowed: 'any', origins: [] });
  expect(await listFrameAncestors()).toEqual(['*', '*', '*']);
  const named = {
    allowed: 'named',
    origins: ['https://blog.example', 'http://localhost:8080', 'https://blog.example/'],
  };
  expect((await set(named)).json().origins).toEqual(['https://blog.example', 'http://localhost:8080']);
  expect(new Set(await listFrameAncestors())).toEqual(new Set(['https://blog.example http://localhost:8080']));
  expect((await fetchOembed(`${origin}/post/${id}`)).json().type).toBe('rich');
  for (const bad of [
    '*',
    'https://*',
    'javascript:alert(1)',
    'https://a.example/path',
    "https://a.example; script-src 'none'",
    '',
  ])
    expect([bad, (await set({ allowed: 'named', origins: [bad] })).statusCode]).toEqual([bad, 400]);
  for (const allowed of ['none', 'named']) {
    expect((await set({ allowed, origins: [] })).statusCode).toBe(200);
    expect(new Set(await listFrameAncestors()), allowed).toEqual(new Set(["'none'"]));
    const embed = z.parse(getOembed.response, (await fetchOembed(`${origin}/post/${id}`)).json());
    expect(embed, allowed).toMatchObject({ type: 'link', thumbnail_url: `${origin}/post/${id}.jpg` });
    expect(embed.html, allowed).toBeUndefined();
  }
  const fan = await test.signUp('customer');
  expect((await fan.inject('GET', '/api/creator/embeds')).statusCode).toBe(403);
});
