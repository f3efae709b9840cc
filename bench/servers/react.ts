/**
 * The upper limits for a rendered page with prepared data: React behind node:http. `/` renders twenty posts,
 * `/markup/NAME` the elements of the page that was registered as NAME without components, and `/tree/NAME` that page's
 * own components.
 */
import { createServer } from 'node:http';
import { createElement as h, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { type Markup, MarkupPage, parseMarkup } from './markup.ts';
import { respondToParent } from './parent-messages.ts';
import { captureTree } from './tree.ts';

type BarePost = { id: string; caption: string; author: string; price: number; at: string };

const POSTS: readonly BarePost[] = Array.from({ length: 20 }, (_, n) => ({
  id: `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  caption: `Third firing of the ash glaze, number ${n}. The shoulder held this time, and the run stops a finger above the foot.`,
  author: 'Mirele Achterberg',
  price: n % 3 === 0 ? 5 : 0,
  at: '2026-05-04T10:00:00.000Z',
}));

function Card({ post }: { post: BarePost }): ReactElement {
  const widths = [96, 384, 640, 1080, 1920];
  const sources = (ending: string) =>
    widths.map((width) => `/media/${post.id}/${width}.${ending} ${width}w`).join(', ');
  return h(
    'article',
    { className: 'card flex flex-col gap-2' },
    h(
      'header',
      null,
      h('img', { src: `/avatar/${post.id}.webp`, alt: '', width: 40, height: 40 }),
      h('a', { href: '/profile/mirele' }, post.author),
      h('time', { dateTime: post.at }, '4 May'),
    ),
    h(
      'a',
      { href: `/post/${post.id}` },
      h(
        'picture',
        null,
        h('source', { type: 'image/avif', srcSet: sources('avif') }),
        h('source', { type: 'image/webp', srcSet: sources('webp') }),
        h('img', {
          src: `/media/${post.id}/1080.jpg`,
          alt: 'A tall jar with a running glaze',
          width: 3000,
          height: 2000,
        }),
      ),
    ),
    h('p', null, post.caption),
    h(
      'footer',
      null,
      h('button', { type: 'button', 'aria-label': 'Like' }, '12'),
      h('span', null, post.price > 0 ? `Unlock · $${post.price.toFixed(2)}` : 'Free'),
    ),
  );
}

function Page({ posts }: { posts: readonly BarePost[] }): ReactElement {
  return h(
    'html',
    { lang: 'en' },
    h(
      'body',
      null,
      h(
        'main',
        null,
        posts.map((post) => h(Card, { key: post.id, post })),
      ),
    ),
  );
}

/**
 * Registers a page of the product on that port under a name. Returns how many characters of markup are rendered per
 * character of the original.
 */
export type RegisterPageJob = { name: string; port: number; path: string };
export type RegisteredPage = { share: number };

type PreparedPage = { html: string; markup: Markup; renderTree: () => Promise<unknown> };
const pages = new Map<string, PreparedPage>();

async function registerPage({ name, port, path }: RegisterPageJob): Promise<RegisteredPage> {
  const origin = `http://127.0.0.1:${port}`;
  const html = await (await fetch(origin + path)).text();
  const markup = parseMarkup(html);
  pages.set(name, { html, markup, renderTree: await captureTree(origin, path) });
  return { share: renderToString(h(MarkupPage, { page: markup })).length / html.length };
}

async function renderBody(url: string): Promise<string> {
  const [, kind = '', name = ''] = url.split('/');
  const page = pages.get(name);
  if (!page) return renderToString(h(Page, { posts: POSTS }));
  if (kind === 'markup') return renderToString(h(MarkupPage, { page: page.markup }));
  await page.renderTree();
  return page.html;
}

const server = createServer(async ({ url = '/' }, response) => {
  const body = await renderBody(url);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  respondToParent(typeof address === 'object' && address ? address.port : 0, async (page) =>
    registerPage(page as RegisterPageJob),
  );
});
process.once('SIGTERM', () => process.exit(0));
