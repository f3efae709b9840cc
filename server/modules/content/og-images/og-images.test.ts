import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import type { Theme } from '@stagedoor/contract/content/themes.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { blockAccount } from '../../identity/accounts/index.ts';
import { makeReadyPicture } from '../media/testing.ts';
import { breakLines, createLines, isDrawable, measureText, prepareText } from './card-text.ts';
import { fitTitle } from './draw-og-image.ts';
import { deleteOgImages } from './og-image-cache.ts';
import { loadOgImageDetails } from './og-image-details.ts';

let test: TestApp;
let creator: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  await test.app.start();
  creator = await test.signUp('creator', { name: 'Inês Valadão', username: 'ines' });
});
afterAll(() => test.close());

const fetchImagePath = async (kind: 'profile' | 'post', id: string) =>
  (await test.inject('GET', `/api/public/og-image/${kind}/${id}`)).json().path as string;
const fetchPicture = async (path: string) => {
  const response = await test.app.http.inject({ method: 'GET', url: path });
  return { response, content: response.rawPayload };
};
let workFile: Promise<Buffer> | undefined;
async function createPost(price: number, caption = 'The chair') {
  const id = await makeReadyPicture(test.ctx, creator.id);
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  workFile ??= sharp({ create: { width: 1080, height: 1350, channels: 3, background: '#777777', noise } })
    .jpeg()
    .toBuffer();
  await test.ctx.storage.put(`private/m/${id}/1080.jpg`, await workFile, 'image/jpeg');
  return (await creator.inject('POST', '/api/post', { price, caption, media: [{ id }] })).json().id as string;
}
async function measureGrain(content: Buffer) {
  const pixels = await sharp(content)
    .extract({ left: 620, top: 20, width: 560, height: 500 })
    .greyscale()
    .raw()
    .toBuffer();
  let sum = 0;
  for (let at = 1; at < pixels.length; at += 1)
    if (at % 560 !== 0) sum += Math.abs((pixels[at] ?? 0) - (pixels[at - 1] ?? 0));
  return sum / pixels.length;
}

function getPresetTheme(key: string): Theme {
  const preset = THEME_PRESETS.find((each) => each.key === key);
  if (!preset) throw new Error(`There is no theme ${key}.`);
  return preset.theme;
}
async function publish(theme: Theme | null) {
  const { revision } = (await creator.inject('GET', '/api/creator/theme')).json();
  expect((await creator.inject('POST', '/api/creator/theme/publish', { revision, theme })).statusCode).toBe(200);
}
const getColorAt = async (content: Buffer, left: number, top: number) => [
  ...(await sharp(content).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
];
const getColorDistance = (color: readonly number[], hex: string) =>
  Math.max(...color.map((part, at) => Math.abs(part - Number.parseInt(hex.slice(1 + 2 * at, 3 + 2 * at), 16))));

describe('a published theme', () => {
  it('changes the colors and addresses of profile and post pictures, and removing it restores the former ones', async () => {
    const id = await createPost(12, 'In a theme');
    const fetchPaths = async () =>
      [await fetchImagePath('profile', creator.id), await fetchImagePath('post', id)] as const;
    const plain = await fetchPaths();
    for (const path of plain)
      expect(getColorDistance(await getColorAt((await fetchPicture(path)).content, 20, 300), '#ffffff')).toBeLessThan(
        6,
      );
    for (const key of ['varnish', 'noon']) {
      await publish(getPresetTheme(key));
      const themed = await fetchPaths();
      for (const [at, path] of themed.entries()) {
        expect(path).not.toBe(plain[at]);
        const former = (await fetchPicture(plain[at] ?? '')).response;
        expect([former.statusCode, former.headers.location]).toEqual([302, path]);
        const { content } = await fetchPicture(path);
        expect([key, getColorDistance(await getColorAt(content, 20, 300), getPresetTheme(key).background)]).toEqual([
          key,
          expect.toSatisfy((distance: number) => distance < 12),
        ]);
      }
      const { content } = await fetchPicture(themed[1]);
      expect(getColorDistance(await getColorAt(content, 606, 572), '#ffffff')).toBeLessThan(12);
    }
    await publish(null);
    expect(await fetchPaths()).toEqual(plain);
  });

  it('is deleted from the store with its picture when another one is published', async () => {
    await publish(getPresetTheme('fog'));
    const path = await fetchImagePath('profile', creator.id);
    await fetchPicture(path);
    await publish(null);
    await vi.waitFor(
      async () => expect(await test.ctx.storage.open(`public/s${path.slice('/og-image'.length)}`)).toBeUndefined(),
      10_000,
    );
  });

  it('shows the avatar in a box or round, as on the profile', async () => {
    const { shape: _shape, ...paper } = getPresetTheme('paper');
    const avatar = await sharp({ create: { width: 88, height: 88, channels: 3, background: '#00ff00' } })
      .png()
      .toBuffer();
    await test.ctx.storage.put('public/green/384.webp', avatar, 'image/webp');
    const users = test.ctx.db.query.updateTable('users').where('id', '=', creator.id);
    await users.set({ avatar_key: 'green' }).execute();
    const corners: number[] = [];
    for (const shape of ['box', 'round'] as const) {
      await publish({ ...paper, shape });
      const { content } = await fetchPicture(await fetchImagePath('profile', creator.id));
      corners.push(getColorDistance(await getColorAt(content, 62, 492), '#00ff00'));
    }
    await users.set({ avatar_key: null }).execute();
    await publish(null);
    expect(corners[0]).toBeLessThan(60);
    expect(corners[1]).toBeGreaterThan(150);
  });
});

describe('the share picture of a profile', () => {
  it('is a public JPEG of 1200 × 630 that is cached permanently by its address', async () => {
    const path = await fetchImagePath('profile', creator.id);
    expect(path).toMatch(new RegExp(`^/og-image/profile/${creator.id}/[0-9a-f]{16}\\.jpg$`));
    const { response, content } = await fetchPicture(path);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('image/jpeg');
    expect(response.headers['cache-control']).toContain('immutable');
    expect(await sharp(content).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
    expect(content.length).toBeLessThan(200_000);
    expect(content.length).toBeGreaterThan(8_000);
  });

  it('is made once for concurrent requests, and cached', async () => {
    const other = await test.signUp('creator');
    const path = await fetchImagePath('profile', other.id);
    const put = vi.spyOn(test.ctx.storage, 'put');
    const responses = await Promise.all(Array.from({ length: 6 }, () => fetchPicture(path)));
    await fetchPicture(path);
    expect(new Set(responses.map(({ response }) => response.statusCode))).toEqual(new Set([200]));
    expect(put.mock.calls.filter(([key]) => key.startsWith('public/s/'))).toHaveLength(1);
    put.mockRestore();
  });

  it('gets a new address with a new name, the old address redirects, and the old file is deleted', async () => {
    const former = await fetchImagePath('profile', creator.id);
    await fetchPicture(former);
    const before = (await creator.inject('GET', '/api/creator/profile')).json();
    const { name: _name, craft, city, bio, category, links, layout, shape, format } = before;
    const body = { name: 'Inês V.', craft, city, bio, category, links, layout, shape, format };
    expect((await creator.inject('PUT', '/api/creator/profile', body)).statusCode).toBe(200);
    const present = await fetchImagePath('profile', creator.id);
    expect(present).not.toBe(former);
    const { response } = await fetchPicture(former);
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe(present);
    await vi.waitFor(
      async () => expect(await test.ctx.storage.open(`public/s${former.slice('/og-image'.length)}`)).toBeUndefined(),
      10_000,
    );
    expect((await fetchPicture(present)).response.statusCode).toBe(200);
  });

  const widest = ['🎻'.repeat(60), 'ﷺ'.repeat(30), 'W'.repeat(60)];
  it.each([
    [
      'varnish',
      [
        ...widest,
        ...['</svg><script>&amp;"\'<', 'שלום عليكم 你好', 'Z̸'.repeat(20), 'ก็'.repeat(20), 'ạ́l̈g̃ ế ǭ'],
        ...['محمد درويش الفلسطيني الكبير', 'हिन्दी नाम'],
      ],
    ],
    ['noon', widest],
    ['fog', ['ạ́l̈g̃ ế ǭ']],
  ])('can be drawn for any name, in the theme %s', async (key, names) => {
    await publish(getPresetTheme(key));
    for (const name of names) {
      await test.ctx.db.query.updateTable('users').set({ name }).where('id', '=', creator.id).execute();
      const { response, content } = await fetchPicture(await fetchImagePath('profile', creator.id));
      expect([name, response.statusCode]).toEqual([name, 200]);
      expect((await sharp(content).metadata()).width).toBe(1200);
      expect(getColorDistance(await getColorAt(content, 585, 300), getPresetTheme(key).background)).toBeLessThan(12);
    }
    await publish(null);
    await test.ctx.db.query.updateTable('users').set({ name: 'Inês' }).where('id', '=', creator.id).execute();
  });

  it('keeps the line above its footer free, however long the texts above are', async () => {
    const name = 'Dédé Castellane and Daughters of the Old Harbour';
    const city = 'Lyon, by the bridge over the Saône where the boats are';
    await test.ctx.db.query.updateTable('users').set({ name }).where('id', '=', creator.id).execute();
    await test.ctx.db.query.updateTable('creators').set({ city }).where('user_id', '=', creator.id).execute();
    const { content } = await fetchPicture(await fetchImagePath('profile', creator.id));
    const above = sharp(content).extract({ left: 56, top: 450, width: 488, height: 5 }).greyscale();
    expect(Math.min(...(await above.raw().toBuffer()))).toBeGreaterThan(230);
    await test.ctx.db.query.updateTable('users').set({ name: 'Inês' }).where('id', '=', creator.id).execute();
  });

  it('shows the username if the name would not be drawn correctly', async () => {
    const loadShownAs = async (name: string) => {
      await test.ctx.db.query.updateTable('users').set({ name }).where('id', '=', creator.id).execute();
      const { title, subtitle } = (await loadOgImageDetails(test.ctx, 'profile', creator.id)).details;
      return { title, hasHandle: subtitle.includes('@ines') };
    };
    expect(await loadShownAs('محمد درويش')).toEqual({ title: 'محمد درويش', hasHandle: true });
    expect(await loadShownAs('हिन्दी नाम')).toEqual({ title: '@ines', hasHandle: false });
    const id = await createPost(0, 'हिन्दी नाम');
    expect((await loadOgImageDetails(test.ctx, 'post', id)).details).toMatchObject({ title: '@ines', authorName: '' });
    await test.ctx.db.query.updateTable('users').set({ name: 'Inês' }).where('id', '=', creator.id).execute();
  });

  it('returns 404 for unknown users and for blocked creators', async () => {
    const version = '0'.repeat(16);
    for (const path of [
      `/og-image/profile/${randomUUID()}/${version}.jpg`,
      `/og-image/post/${randomUUID()}/${version}.jpg`,
      `/og-image/profile/x/${version}.jpg`,
      `/og-image/profile/${creator.id}/..%2f..%2fx.jpg`,
    ])
      expect([path, (await fetchPicture(path)).response.statusCode]).toEqual([path, 404]);
    const blockedCreator = await test.signUp('creator');
    const path = await fetchImagePath('profile', blockedCreator.id);
    expect((await fetchPicture(path)).response.statusCode).toBe(200);
    await blockAccount(test.ctx, blockedCreator.id, 'Spam');
    expect((await fetchPicture(path)).response.statusCode).toBe(404);
  });
});

describe('the share picture of a post', () => {
  it('shows the work of a free post, and only the blurred preview of a locked one', async () => {
    const [free, locked] = [await createPost(0), await createPost(12)];
    const open = await fetchPicture(await fetchImagePath('post', free));
    const read = vi.spyOn(test.ctx.storage, 'open');
    const lockedImage = await fetchPicture(await fetchImagePath('post', locked));
    const keys = read.mock.calls.map(([key]) => key);
    read.mockRestore();
    expect(keys.filter((key) => !key.startsWith('public/s/'))).toEqual([]);
    expect(lockedImage.response.statusCode).toBe(200);
    expect(await measureGrain(lockedImage.content)).toBeLessThan(1);
    expect(await measureGrain(open.content)).toBeGreaterThan(3);
  });

  it('changes with the price, and disappears with the post', async () => {
    const id = await createPost(12, 'Once');
    const former = await fetchImagePath('post', id);
    const media = (await creator.inject('GET', `/api/post/${id}`))
      .json()
      .media.map((each: { id: string }) => ({ id: each.id }));
    expect((await creator.inject('PATCH', `/api/post/${id}`, { caption: 'Once', price: 20, media })).statusCode).toBe(
      200,
    );
    const present = await fetchImagePath('post', id);
    expect(present).not.toBe(former);
    expect((await fetchPicture(present)).response.statusCode).toBe(200);
    await creator.inject('DELETE', `/api/post/${id}`);
    for (const path of [former, present]) expect((await fetchPicture(path)).response.statusCode).toBe(404);
    expect((await test.inject('GET', `/api/public/og-image/post/${id}`)).statusCode).toBe(404);
  });

  it('is deleted after a change only if it was made before the change', async () => {
    const id = await createPost(0, 'Late word');
    const path = await fetchImagePath('post', id);
    const key = `public${path.replace('/og-image/', '/s/')}`;
    const before = new Date();
    expect((await fetchPicture(path)).response.statusCode).toBe(200);
    await deleteOgImages(test.ctx, creator.id, id, before);
    expect(await test.ctx.storage.open(key)).toBeDefined();
    await deleteOgImages(test.ctx, creator.id, id, new Date(Date.now() + 1_000));
    expect(await test.ctx.storage.open(key)).toBeUndefined();
  });

  it('leaves no file when its post is removed while the picture is made', async () => {
    const id = await createPost(0, 'Gone meanwhile');
    const path = await fetchImagePath('post', id);
    const { storage, events } = test.ctx;
    const put = vi.spyOn(storage, 'put').mockImplementationOnce(async (...args) => {
      put.mockRestore();
      await creator.inject('DELETE', `/api/post/${id}`);
      await events.waitUntilIdle();
      await storage.put(...args);
    });
    expect((await fetchPicture(path)).response.statusCode).toBe(404);
    const { rows } = await test.owner.pool.query('select from og_images where subject_id = $1', [id]);
    expect(rows).toEqual([]);
    expect(await storage.open(`public${path.replace('/og-image/', '/s/')}`)).toBeUndefined();
  });
});

describe('the short address', () => {
  it('redirects permanently to the profile in any case, and never to another site', async () => {
    const fetchShortPath = (path: string) => test.app.http.inject({ method: 'GET', url: path });
    for (const name of ['ines', 'INES', 'ines/']) {
      const response = await fetchShortPath(`/@${name}`);
      expect(response.statusCode).toBe(301);
      expect(response.headers.location).toBe('/profile/ines');
    }
    for (const name of ['nobody', '%2f%2fevil.com', 'ines%0d%0ax', 'x'.repeat(65)]) {
      const response = await fetchShortPath(`/@${name}`);
      expect(response.statusCode).toBe(302);
      expect(response.headers.location?.toLowerCase()).toBe(`/profile/${name}`);
      expect((await fetchShortPath(response.headers.location ?? '')).statusCode).toBe(404);
    }
  });
});

it('text breaks words that are wider than a line, and marks omitted text with an ellipsis', async () => {
  const fit = { size: 46, weight: 'bold', width: 488 } as const;
  expect(await breakLines('Short', fit, 3)).toEqual(['Short']);
  const lines = await breakLines('W'.repeat(200), fit, 3);
  expect(lines).toHaveLength(3);
  expect(lines.at(-1)?.endsWith('…')).toBe(true);
  expect(await breakLines('', fit, 3)).toEqual([]);
});

it('a title uses a smaller size before a word is broken', async () => {
  const baseTitle = { authorName: '', isVerified: true };
  const { lines, size } = await fitTitle({ ...baseTitle, title: 'Dédé Castellane' }, 'signage', 400);
  expect(lines).toEqual(['Dédé', 'Castellane']);
  expect(size).toBeLessThan(76);
  const short = await fitTitle({ ...baseTitle, title: 'Inês' }, 'signage', 400);
  expect(short).toEqual({ lines: ['Inês'], size: 76 });
});

it('Arabic letters are joined, and scripts without shaping rules are not drawn', async () => {
  const style = { size: 64, type: 'signage' } as const;
  const alone = await Promise.all([...'محمد'].map((letter) => measureText(letter, style)));
  expect(await measureText('محمد', style)).not.toBeCloseTo(
    alone.reduce((sum, width) => sum + width),
    0,
  );
  expect(['محمد', 'می‌خواهم', 'پاکستان', 'Inês', '你好', 'שלום'].every(isDrawable)).toBe(true);
  expect(['हिन्दी', 'ਪੰਜਾਬੀ', 'ܫܠܡܐ', 'ᠮᠣᠩᠭᠣᠯ', 'မြန်မာ'].some(isDrawable)).toBe(false);
});

it('text loses line breaks and controls of direction, and letters without a font become question marks', async () => {
  expect(await prepareText(' Inês\n\u202eValadão\u0007 ')).toBe('Inês Valadão');
  expect(await prepareText('می\u200cخواهم')).toBe('می\u200cخواهم');
  expect(await prepareText('Ines \u{10fffd}')).toBe('Ines ?');
});

it('text is drawn with the fonts of the repository, also for letters that no theme has', async () => {
  const style = { size: 64, type: 'letter' } as const;
  const text = await prepareText('你好');
  expect(await measureText(text, style)).toBeCloseTo(128, 0);
});

it('all lines of a text have its direction', () => {
  const listDirections = (lines: string[]) =>
    createLines(lines, { size: 30, weight: 'bold' }, '#000000', 40).map(({ style }) => style?.direction);
  expect(listDirections(['Photographs of', 'محمد درويش (Berlin)'])).toEqual(['ltr', 'ltr']);
  expect(listDirections(['معرض الصور', 'Berlin 2024'])).toEqual(['rtl', 'rtl']);
});

it('the server starts without the binary that draws share images', async () => {
  const script = `await import(${JSON.stringify(new URL('../../modules.ts', import.meta.url).href)})`;
  const env = { ...process.env, TAKUMI_CORE_TARGET: '/nowhere/takumi.node' };
  const starting = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  await expect(starting).resolves.toMatchObject({ stderr: '' });
});
