import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makePost } from '../posts/testing.ts';
import { escapeXml } from './xml.ts';

let test: TestApp;
let creator: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  creator = await test.signUp('creator', { name: 'Inês & <b>Sons</b>' });
});
afterAll(() => test.close());

const fetchPath = (path: string) => test.inject('GET', path);

it('robots.txt keeps crawlers off private pages and names the sitemap', async () => {
  const { body, headers } = await fetchPath('/robots.txt');
  expect(headers['content-type']).toMatch(/^text\/plain/);
  expect(body).toMatch(/^User-agent: \*$/m);
  for (const path of ['/admin', '/fan', '/api/']) expect(body).toContain(`Disallow: ${path}\n`);
  expect(body).not.toMatch(/Disallow: \/(?:creator)?\n/);
  expect(body).toMatch(/^Sitemap: http.+\/sitemap\.xml$/m);
});

it('XML escaping handles markup, control characters and lone surrogates', () => {
  expect(escapeXml(`<a href="x">&'\u0000\u000b\ud800`)).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&apos;\ufffd');
});

const HOSTILE = ']]></description><script>alert(1)</script> & "quoted" \u0001 ümlaut 🎭';

it('feeds show what a visitor sees, and escape hostile captions', async () => {
  const free = await makePost(test.ctx, creator.id, { caption: HOSTILE });
  const locked = await makePost(test.ctx, creator.id, { caption: 'Behind the price', priceCents: 900 });
  const [rss, atom, json] = await Promise.all(
    ['rss.xml', 'atom.xml', 'feed.json'].map((file) => fetchPath(`/profile/${creator.username}/${file}`)),
  );
  for (const response of [rss, atom]) {
    expect(response?.statusCode).toBe(200);
    expect(response?.body).not.toContain('<script');
    expect(response?.body).not.toContain('\u0001');
    expect(response?.body).toContain('&amp;lt;script&amp;gt;');
    expect(response?.body).toContain('Inês &amp; &lt;b&gt;Sons&lt;/b&gt;');
    expect(response?.body.match(/<(?:item|entry)>/g)).toHaveLength(2);
  }
  const feed = json?.json();
  expect(feed).toMatchObject({ version: 'https://jsonfeed.org/version/1.1', title: 'Inês & <b>Sons</b> on Stagedoor' });
  expect(feed.items.map(({ url }: { url: string }) => url.split('/').at(-1))).toEqual([locked, free]);
  expect(feed.items[0]).toMatchObject({ title: 'Behind the price', content_text: 'Behind the price\n\n$9.00' });
  expect(feed.items[0].image).toMatch(new RegExp(`/post/${locked}\\.jpg$`));
  const etag = String(rss?.headers.etag);
  const revalidated = await test.inject('GET', `/profile/${creator.username}/rss.xml`, undefined, {
    'if-none-match': etag,
  });
  expect([revalidated.statusCode, revalidated.body]).toEqual([304, '']);
});

it('feeds link the URLs of captions, and nothing that follows them', async () => {
  const author = await test.signUp('creator');
  await makePost(test.ctx, author.id, { caption: 'New\n\nhttps://example.com/menu。<b> https://аpple.com' });
  const { items } = (await fetchPath(`/profile/${author.username}/feed.json`)).json();
  expect(items[0].content_html).toContain(
    '<p><a href="https://example.com/menu" rel="nofollow ugc">https://example.com/menu</a>。&lt;b&gt; <a href="https://xn--pple-43d.com/" rel="nofollow ugc">https://xn--pple-43d.com</a></p>',
  );
});

it('a feed without posts uses the date on which its creator signed up as its last change', async () => {
  const newCreator = await test.signUp('creator');
  const [row] = await test.owner.query
    .selectFrom('users')
    .select('created_at')
    .where('id', '=', newCreator.id)
    .execute();
  const signedUpAt = row?.created_at ?? new Date(0);
  expect(signedUpAt.getFullYear()).toBeGreaterThan(2020);
  const [rss, atom] = await Promise.all(
    ['rss.xml', 'atom.xml'].map((file) => fetchPath(`/profile/${newCreator.username}/${file}`)),
  );
  expect(rss?.body).toContain(`<lastBuildDate>${signedUpAt.toUTCString()}</lastBuildDate>`);
  expect(atom?.body).toContain(`<updated>${signedUpAt.toISOString()}</updated>`);
});

it('unknown and blocked creators have no feed, and removed posts disappear from feeds', async () => {
  expect((await fetchPath('/profile/nobody.here/rss.xml')).statusCode).toBe(404);
  for (const name of ['%00', 'a'.repeat(10_000), '%F0%9F%8E%BB'])
    expect((await fetchPath(`/profile/${name}/rss.xml`)).statusCode).toBeLessThan(500);
  expect((await fetchPath('/profile/%00/rss.xml')).statusCode).toBe(404);
  const removedPost = await makePost(test.ctx, creator.id, { caption: 'Gone soon' });
  const isInFeed = async () => (await fetchPath(`/profile/${creator.username}/feed.json`)).body.includes(removedPost);
  expect(await isInFeed()).toBe(true);
  await creator.inject('DELETE', `/api/post/${removedPost}`);
  expect(await isInFeed()).toBe(false);
  const blocked = await test.signUp('creator');
  await test.owner.query.updateTable('users').set({ is_blocked: true }).where('id', '=', blocked.id).execute();
  expect((await fetchPath(`/profile/${blocked.username}/atom.xml`)).statusCode).toBe(404);
});

it('the sitemap index links files that list every public page, profile and post', async () => {
  const { body: index } = await fetchPath('/sitemap.xml');
  const files = [...index.matchAll(/<loc>https?:\/\/[^/]+([^<]+)<\/loc>/g)].map(([, path]) => path ?? '');
  expect(files.map((path) => path.replace(/-[0-9a-f-]{36}/, ''))).toEqual([
    '/sitemaps/pages.xml',
    '/sitemaps/creators.xml',
    '/sitemaps/posts.xml',
  ]);
  const texts = await Promise.all(files.map(async (path) => (await fetchPath(path)).body));
  expect(texts[0]).toContain('/terms-of-service</loc>');
  expect(texts[1]).toContain(`/profile/${creator.username}</loc>`);
  expect(texts[2]?.match(/<image:loc>/g)?.length).toBe(texts[2]?.match(/<url>/g)?.length);
  for (const text of texts) expect(text).toMatch(/<\/urlset>\n$/);
  for (const path of [
    '/sitemaps/posts-nothing.xml',
    `/sitemaps/people-${creator.id}.xml`,
    `/sitemaps/constructor-${creator.id}.xml`,
    '/sitemaps/posts.xml',
  ])
    expect((await fetchPath(path)).statusCode, path).toBe(404);
  expect((await test.app.http.inject({ method: 'HEAD', url: files[2] ?? '' })).statusCode).toBe(404);
});

it('a batch of a sitemap file is found by an index range, without scanning earlier rows', async () => {
  const { body: index } = await fetchPath('/sitemap.xml');
  const run = vi.spyOn(test.ctx.db, 'run');
  for (const [, path] of index.matchAll(/<loc>https?:\/\/[^/]+(\/sitemaps\/(?:creators|posts)-[^<]+)<\/loc>/g))
    expect((await fetchPath(path ?? '')).statusCode).toBe(200);
  const texts = new Map(run.mock.calls.map(([{ name, text }]) => [name, text]));
  run.mockRestore();
  const client = await test.owner.pool.connect();
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_sort = off');
    for (const [name, key] of [
      ['seo-creators', 'user_id'],
      ['seo-posts', 'id'],
    ] as const) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${texts.get(name)}`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan, name).toContain(`Index Cond: ((${key} >= $1) AND (${key} < COALESCE($4`);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});
