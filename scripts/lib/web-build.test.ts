/** Size optimisations of the real build. Without one every page still works and only loads more bytes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PATHS, postPath, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import type { CreatePageRenderer, PageContext } from '@stagedoor/contract/shared/page-frame.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { makePost } from '../../server/modules/content/posts/testing.ts';
import { ROUTES } from '../../server/modules/index.ts';
import { createTestApp } from '../../server/testing/app.ts';
import { ensureWebBuild } from './web-build.mjs';

type Route = { id: string; parentId?: string; module: unknown };
type Build = {
  entry: { module: { createPages: CreatePageRenderer<Request, Response> } };
  routes: Record<string, Route>;
  assets: { routes: Record<string, { module: string; imports: string[]; css: string[] }> };
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const client = join(root, 'web/build/client');
let build: Build;
let scripts: Map<string, string>;

beforeAll(async () => {
  await ensureWebBuild(() => undefined);
  build = await import(pathToFileURL(join(root, 'web/build/server/index.js')).href);
  const names = readdirSync(join(client, 'assets')).filter((name) => name.endsWith('.js'));
  scripts = new Map(names.map((name) => [`/assets/${name}`, readFileSync(join(client, 'assets', name), 'utf8')]));
}, 180_000);

function listBranch(leafId: string): string[] {
  const ids: string[] = [];
  for (let id: string | undefined = leafId; id; id = build.routes[id]?.parentId) ids.unshift(id);
  return ids;
}

describe('browsers get no schemas they do not need (web/vite/split-contract.ts)', () => {
  test('no script contains the server-only parts of a route', () => {
    // Long enough not to equal a button label.
    const summaries = ROUTES.map(({ route }) => route.summary).filter((summary) => summary.length > 30);
    expect(summaries.length).toBeGreaterThan(40);
    const texts = [...scripts.values()];
    expect(summaries.filter((summary) => texts.some((text) => text.includes(summary)))).toEqual([]);
  });

  test('a page without a form loads no schema, and one with a form does', () => {
    const loadsSchema = (id: string) =>
      listBranch(id)
        .flatMap((one) => build.assets.routes[one] ?? [])
        .flatMap(({ module, imports }) => [module, ...imports])
        .some((address) => scripts.get(address)?.includes('_zod'));
    const pages = 'home profile post success-mail fan/index fan/feed fan/follow fan/media fan/wallet-receipt';
    const own = 'creator/dashboard creator/followers creator/feed creator/media-detail';
    const light = `${pages} ${own}`.split(' ').map((name) => `../pages/${name}`);
    expect(light.filter((id) => !build.routes[id])).toEqual([]);
    expect(light.filter(loadsSchema)).toEqual([]);
    expect(['../pages/login', '../pages/signup', 'fan-settings'].map(loadsSchema)).toEqual([true, true, true]);
  });
});

describe('a visitor’s page', () => {
  const toSelectorPattern = (name: string) =>
    new RegExp(
      `(?:^|[{},;])\\.${name.replace(/[^\w-]/g, (character) => `\\${character}`).replace(/\\./g, String.raw`\\$&`)}(?=[{,])`,
    );

  test('contains the styles of all its classes and only a part of the style sheet (web/platform/critical-css.ts)', async () => {
    const app = await createTestApp({ hasPages: true });
    try {
      const creator = await app.signUp('creator');
      const post = await makePost(app.ctx, creator.id, { caption: 'A quiet morning', priceCents: 500 });
      const pages = [
        [PATHS.home, '../pages/home'],
        [profilePath(creator.username), '../pages/profile'],
        [postPath(post), '../pages/post'],
      ] as const;
      for (const [address, id] of pages) {
        const html = (await app.inject('GET', address)).body;
        const [, styles = '', ...more] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
        expect(
          [more, html.includes('rel="stylesheet"'), /<script(?! type="application\/ld\+json")/.test(html)],
          address,
        ).toEqual([[], false, false]);
        const sheet = listBranch(id)
          .flatMap((one) => build.assets.routes[one]?.css ?? [])
          .map((name) => readFileSync(join(client, name.replace(/#.*/, '')), 'utf8'))
          .join('\n');
        const lists = [...html.matchAll(/ class="([^"]*)"/g)].map(([, list = '']) => list.replaceAll('&amp;', '&'));
        const patterns = [...new Set(lists.flatMap((list) => list.split(/\s+/)).filter(Boolean))].map(
          toSelectorPattern,
        );
        const styled = patterns.filter((pattern) => pattern.test(sheet));
        expect(styled.length, address).toBeGreaterThan(patterns.length / 2);
        expect(styled.filter((pattern) => !pattern.test(styles))).toEqual([]);
        expect(styles.length, address).toBeLessThan(sheet.length / 2);
      }
    } finally {
      await app.close();
    }
  });

  test('is found by its address and can be cached (web/app/route-matcher.ts)', () => {
    const fail = (error: unknown) => {
      throw error;
    };
    const { findCacheRule } = build.entry.module.createPages(build, 'production', fail);
    const cacheable = [PATHS.home, PATHS.successMail, profilePath('anna'), `${profilePath('anna')}/`, postPath('x')];
    expect(cacheable.filter((address) => findCacheRule(address) === undefined)).toEqual([]);
    expect(findCacheRule(PATHS.home)?.freeText).toEqual(['search']);
    const others = [PATHS.login, PATHS.fanDashboard, `${profilePath('anna')}/x`, '/no/such/page'];
    expect(others.filter((address) => findCacheRule(address) !== undefined)).toEqual([]);
  });

  test('is rendered without evaluating other routes (web/app/branch-handler.ts)', async () => {
    const evaluated = new Set<string>();
    const watchModule = ([id, route]: [string, Route]): [string, Route] => [
      id,
      Object.defineProperty({ ...route }, 'module', {
        enumerable: true,
        get: () => {
          evaluated.add(id);
          return route.module;
        },
      }),
    ];
    const routes = Object.fromEntries(Object.entries(build.routes).map(watchModule));
    const { respond } = build.entry.module.createPages({ ...build, routes }, 'production', () => undefined);
    const context: PageContext = {
      transport: async () => ({ status: 404, body: { code: 'NOT_FOUND', message: '' } }),
      isSignedIn: false,
      readAt: 0,
      hasEnded: false,
      theme: undefined,
      isOfAge: true,
      nonce: 'x',
      origin: 'http://localhost',
      contactMail: '',
      isDevelopment: false,
      isContentProtected: false,
      siteStatus: {},
      styles: () => undefined,
    };
    evaluated.clear();
    const { response } = await respond(new Request(`http://localhost${PATHS.successMail}`), context);
    expect(response.status).toBe(200);
    expect([...evaluated].sort()).toEqual(listBranch('../pages/success-mail').sort());
  });
});
