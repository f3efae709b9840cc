import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import type { PageRenderer, StaticPage } from '@stagedoor/contract/shared/page-frame.ts';
import { splitLinks } from '@stagedoor/contract/shared/text-links.ts';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToStaticMarkup } from 'react-dom/server';
import {
  type EntryContext,
  type RouteObject,
  RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router';
import { SiteStatusBanners } from '../modules/commerce/site-status/site-status-banners.tsx';
import { parseColorScheme } from '../platform/color-scheme.ts';
import { createCriticalCss } from '../platform/critical-css.ts';
import { provideLinkSplitter } from '../platform/linked-text.tsx';
import { isPageHandle, mergeHandles } from '../platform/page.ts';
import { createQueryClient } from '../platform/query.ts';
import { type PageRequestContext, requestContextKey } from '../platform/request-context.ts';
import { parseTimeZone, setRequestZone } from '../platform/time-zone.ts';
import { createBranchHandler } from './branch-handler.ts';
import { RenderingProvider, STYLES_PLACEHOLDER } from './rendering-context.tsx';
import { createRouteMatcher } from './route-matcher.ts';
import { toLeanTable } from './route-table.ts';
import { SUBMIT_ONCE_SCRIPT } from './submit-once.ts';
import { VisitorFrame } from './visitor-frame.tsx';
import { visitorParts } from './visitor-parts.ts';

const requestZones = new AsyncLocalStorage<string>();
setRequestZone(() => requestZones.getStore());

visitorParts.Frame = VisitorFrame;
visitorParts.Notices = SiteStatusBanners;
provideLinkSplitter((text) => splitLinks(text));

function createCollector(resolve: (html: Buffer) => void, reject: (error: Error) => void): Writable {
  const chunks: Buffer[] = [];
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
    final: (done) => {
      resolve(Buffer.concat(chunks));
      done();
    },
  }).on('error', reject);
}

const toHandle = ({ staticHandlerContext: { matches } }: EntryContext) =>
  mergeHandles(matches.map(({ route }) => route));

/** Whether the page is hydrated in the browser. Pages can opt out, but only for visitors. */
function isHydrated(router: EntryContext): boolean {
  const root: unknown = router.staticHandlerContext.loaderData.root;
  const isSignedIn = typeof root === 'object' && root !== null && 'isSignedIn' in root && root.isSignedIn === true;
  return isSignedIn || toHandle(router).hydrate !== false;
}

const SUBMIT_ONCE_HASH = `'sha256-${createHash('sha256').update(SUBMIT_ONCE_SCRIPT).digest('base64')}'`;

function findStyles(router: EntryContext, { styles }: PageRequestContext): Uint8Array | undefined {
  return styles(
    router.staticHandlerContext.matches.flatMap(({ route }) => router.manifest.routes[route.id]?.css ?? []),
  );
}

const HEAD_LINKS =
  '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/><link rel="manifest" href="/manifest.webmanifest"/>';
const reducers = new WeakMap<Uint8Array, (html: string) => string>();
const elements = new Map<string, string>();
const MAX_ELEMENTS = 200;

function toStyleElement(element: Uint8Array, html: string): string {
  const reduceStyles =
    reducers.get(element) ??
    createCriticalCss(
      Buffer.from(element)
        .toString()
        .replace(/<\/?style>/g, ''),
    );
  reducers.set(element, reduceStyles);
  const rules = reduceStyles(html);
  const styleElement = elements.get(rules) ?? `${HEAD_LINKS}<style>${rules}</style>`;
  if (elements.size >= MAX_ELEMENTS) elements.clear();
  elements.set(rules, styleElement);
  return styleElement;
}

function renderStaticPage(page: ReactNode, css: Uint8Array | undefined, script: string | undefined): StaticPage {
  const scripts = script === undefined ? "'none'" : SUBMIT_ONCE_HASH;
  const html = renderToStaticMarkup(page);
  const at = css ? html.indexOf(STYLES_PLACEHOLDER) : -1;
  if (!css || at < 0) return { head: `<!DOCTYPE html>${html}`, styles: '', tail: '', scripts };
  return {
    head: `<!DOCTYPE html>${html.slice(0, at)}`,
    styles: toStyleElement(css, html),
    tail: html.slice(at + STYLES_PLACEHOLDER.length),
    scripts,
  };
}

const staticPages = new WeakMap<Response, StaticPage>();

function renderHydratedPage(page: ReactNode, nonce: string): Promise<{ html: Buffer; hasFailed: boolean }> {
  let hasFailed = false;
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => void pipe(createCollector((html) => resolve({ html, hasFailed }), reject)),
      onShellError: reject,
      onError: (error) => {
        hasFailed = true;
        reportRender(error);
      },
    });
  });
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const requestContext = context.get(requestContextKey);
  const hasScript = isHydrated(router);
  const css = hasScript ? undefined : findStyles(router, requestContext);
  const script = !hasScript && toHandle(router).submitsOnce ? SUBMIT_ONCE_SCRIPT : undefined;
  const page = (
    <RenderingProvider
      requestContext={requestContext}
      isHydrated={hasScript}
      hasInlineStyles={css !== undefined}
      script={script}
    >
      <ServerRouter context={router} url={request.url} nonce={requestContext.nonce} />
    </RenderingProvider>
  );
  headers.set('content-type', 'text/html; charset=utf-8');
  if (!hasScript) {
    const staticPage = renderStaticPage(page, css, script);
    const response = new Response(null, { status, headers });
    staticPages.set(response, staticPage);
    return response;
  }
  const { html, hasFailed } = await renderHydratedPage(page, requestContext.nonce);
  return new Response(new Uint8Array(html), { status: hasFailed && status < 500 ? 500 : status, headers });
}

let reportRender: (error: unknown) => void = () => undefined;

/** React Router calls this for everything that loaders and rendering throw. Refusals are responses, not errors. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  if (!request.signal.aborted) reportRender(error);
}

function listLeaves(build: ServerBuild, parentId?: string, path = '', handles: readonly unknown[] = []): RouteObject[] {
  return Object.values(build.routes).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return [];
    const fullPath = route.path ? `${path}/${route.path}` : path;
    const parentHandles = [...handles, route.module.handle];
    const childLeaves = listLeaves(build, route.id, fullPath, parentHandles);
    if (childLeaves.length > 0) return childLeaves;
    return [{ id: route.id, path: fullPath, handle: mergeHandles(parentHandles.map((handle) => ({ handle }))) }];
  });
}

export function createPages(
  { assets, ...parts }: ServerBuild,
  mode: string,
  report: (error: unknown) => void,
): PageRenderer<Request, Response> {
  reportRender = report;
  const build = { ...parts, assets: toLeanTable(assets) };
  const findLeaf = createRouteMatcher(listLeaves(build));
  const handle = createBranchHandler(build, mode, (pathname) => findLeaf(pathname)?.id);
  return {
    respond: async (request, { transport, theme, timeZone, ...pageContext }) => {
      const requestContext: PageRequestContext = {
        ...pageContext,
        theme: parseColorScheme(theme),
        timeZone: parseTimeZone(timeZone),
        transport,
        client: createQueryClient(transport),
      };
      const context = new RouterContextProvider();
      context.set(requestContextKey, requestContext);
      const response = await requestZones.run(requestContext.timeZone, () => handle(request, context));
      return { response, staticPage: staticPages.get(response) };
    },
    findCacheRule: (pathname) => {
      const handle: unknown = findLeaf(pathname)?.handle;
      if (!isPageHandle(handle)) return undefined;
      const { hydrate, query = [], codes = [], freeText = [] } = handle;
      return hydrate === false ? { query, codes, freeText } : undefined;
    },
  };
}
