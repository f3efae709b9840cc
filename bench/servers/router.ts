/**
 * Matches addresses and renders pages of the build with prepared data, with the routes of the page's branch or with
 * React Router's whole table. The product has no switch for it: the matcher reads the leaves of the table when it is
 * created, so that it finds no branch in a table that is filled later.
 */
import type { CreatePageRenderer, PageContext, PageResponse } from '@stagedoor/contract/shared/page-frame.ts';
import { matchRoutes, type RouteObject } from 'react-router';
import { respondToParent } from './parent-messages.ts';

export type RegisterRouterPageJob = { register: string; port: number; path: string; cookie: string | undefined };
export type RenderJob = { render: string; isWhole: boolean; seconds: number };
export type MatchJob = { match: readonly string[]; isWhole: boolean; seconds: number };

type BuildRoute = { id: string; parentId?: string; path?: string };
type Build = {
  routes: Record<string, BuildRoute>;
  entry: { module: { createPages: CreatePageRenderer<Request, Response> } };
};

const build: Build = await import(new URL('../../web/build/server/index.js', import.meta.url).href);
const { createPages } = build.entry.module;
const routes: Build['routes'] = {};
const renderers = {
  branch: createPages(build, 'production', console.error),
  whole: createPages({ ...build, routes }, 'production', console.error),
};
Object.assign(routes, build.routes);

type RenderPage = (side: keyof typeof renderers) => Promise<string>;
const pages = new Map<string, RenderPage>();

async function fetchResponse(address: string, headers: Record<string, string>): Promise<PageResponse> {
  const response = await fetch(address, { headers });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

function createContext(origin: string, headers: Record<string, string>): PageContext {
  const responses = new Map<string, PageResponse>();
  return {
    transport: async ({ path }) => {
      const response = responses.get(path) ?? (await fetchResponse(origin + path, headers));
      responses.set(path, response);
      return response;
    },
    isSignedIn: headers.cookie !== undefined,
    readAt: 0,
    hasEnded: false,
    theme: undefined,
    isOfAge: true,
    nonce: 'nonce',
    origin,
    contactMail: '',
    isDevelopment: false,
    isContentProtected: false,
    siteStatus: {},
    styles: () => undefined,
  };
}

async function registerPage({ register, port, path, cookie }: RegisterRouterPageJob): Promise<number> {
  const origin = `http://127.0.0.1:${port}`;
  const headers: Record<string, string> = cookie === undefined ? {} : { cookie };
  const context = createContext(origin, headers);
  const render: RenderPage = async (side) => {
    const request = new Request(origin + path, { headers });
    const { response, staticPage } = await renderers[side].respond(request, context);
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
    return staticPage ? staticPage.head + staticPage.tail : await response.text();
  };
  const [alone, whole] = [await render('branch'), await render('whole')];
  if (alone.length !== whole.length) throw new Error(`${path} is another page with the whole table.`);
  pages.set(register, render);
  return alone.length;
}

async function renderRepeatedly({ render: name, isWhole, seconds }: RenderJob): Promise<number> {
  const render = pages.get(name);
  if (!render) throw new Error(`${name} is not registered.`);
  const end = performance.now() + seconds * 1_000;
  let count = 0;
  for (; performance.now() < end; count += 1) await render(isWhole ? 'whole' : 'branch');
  return count;
}

function listLeaves(parentId?: string, path = ''): RouteObject[] {
  return Object.values(build.routes).flatMap((route): RouteObject[] => {
    if (route.parentId !== parentId) return [];
    const fullPath = route.path ? `${path}/${route.path}` : path;
    const leaves = listLeaves(route.id, fullPath);
    return leaves.length > 0 ? leaves : [{ id: route.id, path: fullPath }];
  });
}

async function matchRepeatedly({ match: paths, isWhole, seconds }: MatchJob): Promise<number> {
  const leaves = listLeaves();
  const find = isWhole ? (path: string) => matchRoutes(leaves, path) : renderers.branch.findCacheRule;
  const end = performance.now() + seconds * 1_000;
  let count = 0;
  for (; performance.now() < end; count += paths.length) for (const path of paths) find(path);
  return count;
}

respondToParent(0, async (question) => {
  const job = question as RegisterRouterPageJob | RenderJob | MatchJob;
  if ('register' in job) return registerPage(job);
  return 'match' in job ? matchRepeatedly(job) : renderRepeatedly(job);
});
process.once('SIGTERM', () => process.exit(0));
