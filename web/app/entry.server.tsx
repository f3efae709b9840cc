import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import type { Pages, StillPage } from '@stagedoor/contract/page-frame.ts';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToStaticMarkup } from 'react-dom/server';
import {
  type EntryContext,
  type RouteObject,
  RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router';
import { Notices } from '../features/house/notices.tsx';
import { isPageHandle, mergeHandles } from '../kernel/page.ts';
import { createQueryClient } from '../kernel/query.ts';
import { asTheme } from '../kernel/theme.ts';
import { usedStyles } from '../kernel/used-styles.ts';
import { type Visit, visitContext } from '../kernel/visit.ts';
import { branchHandler } from './branch-handler.ts';
import { leafFinder } from './leaf-finder.ts';
import { RequestFrame, STYLES_HERE } from './request-frame.tsx';
import { leanTable } from './route-table.ts';
import { SEND_ONCE } from './send-once.ts';
import { VisitorFrame } from './visitor-frame.tsx';
import { visitors } from './visitor-frame-here.ts';

visitors.Frame = VisitorFrame;
visitors.Notices = Notices;

function collect(resolve: (html: Buffer) => void, reject: (error: Error) => void): Writable {
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

const handleOf = ({ staticHandlerContext: { matches } }: EntryContext) =>
  mergeHandles(matches.map(({ route }) => route));

/** Whether the page is hydrated in the browser. Pages can opt out, but only for visitors. */
function isAlive(router: EntryContext): boolean {
  const root: unknown = router.staticHandlerContext.loaderData.root;
  const isSignedIn = typeof root === 'object' && root !== null && 'isSignedIn' in root && root.isSignedIn === true;
  return isSignedIn || handleOf(router).hydrate !== false;
}

const SEND_ONCE_HASH = `'sha256-${createHash('sha256').update(SEND_ONCE).digest('base64')}'`;

function stylesOf(router: EntryContext, { styles }: Visit): Uint8Array | undefined {
  return styles(
    router.staticHandlerContext.matches.flatMap(({ route }) => router.manifest.routes[route.id]?.css ?? []),
  );
}

const LINKS =
  '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/><link rel="manifest" href="/manifest.webmanifest"/>';
const usedOf = new WeakMap<Uint8Array, (html: string) => string>();
const elements = new Map<string, string>();
const MAX_ELEMENTS = 200;

function usedFrom(element: Uint8Array, html: string): string {
  const used =
    usedOf.get(element) ??
    usedStyles(
      Buffer.from(element)
        .toString()
        .replace(/<\/?style>/g, ''),
    );
  usedOf.set(element, used);
  const rules = used(html);
  const made = elements.get(rules) ?? `${LINKS}<style>${rules}</style>`;
  if (elements.size >= MAX_ELEMENTS) elements.clear();
  elements.set(rules, made);
  return made;
}

function renderStill(page: ReactNode, css: Uint8Array | undefined, script: string | undefined): StillPage {
  const scripts = script === undefined ? "'none'" : SEND_ONCE_HASH;
  const html = renderToStaticMarkup(page);
  const at = css ? html.indexOf(STYLES_HERE) : -1;
  if (!css || at < 0) return { head: `<!DOCTYPE html>${html}`, styles: '', tail: '', scripts };
  return {
    head: `<!DOCTYPE html>${html.slice(0, at)}`,
    styles: usedFrom(css, html),
    tail: html.slice(at + STYLES_HERE.length),
    scripts,
  };
}

const stills = new WeakMap<Response, StillPage>();

function renderAlive(page: ReactNode, nonce: string): Promise<{ html: Buffer; hasFailed: boolean }> {
  let hasFailed = false;
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => void pipe(collect((html) => resolve({ html, hasFailed }), reject)),
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
  const visit = context.get(visitContext);
  const alive = isAlive(router);
  const css = alive ? undefined : stylesOf(router, visit);
  const script = !alive && handleOf(router).sendsOnce ? SEND_ONCE : undefined;
  const page = (
    <RequestFrame visit={visit} isAlive={alive} hasStylesInside={css !== undefined} script={script}>
      <ServerRouter context={router} url={request.url} nonce={visit.nonce} />
    </RequestFrame>
  );
  headers.set('content-type', 'text/html; charset=utf-8');
  if (!alive) {
    const still = renderStill(page, css, script);
    const response = new Response(null, { status, headers });
    stills.set(response, still);
    return response;
  }
  const { html, hasFailed } = await renderAlive(page, visit.nonce);
  return new Response(new Uint8Array(html), { status: hasFailed && status < 500 ? 500 : status, headers });
}

let reportRender: (error: unknown) => void = () => undefined;

/** React Router calls this for everything that loaders and rendering throw. Refusals are responses, not errors. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  if (!request.signal.aborted) reportRender(error);
}

function leavesOf(build: ServerBuild, parentId?: string, path = '', handles: readonly unknown[] = []): RouteObject[] {
  return Object.values(build.routes).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return [];
    const whole = route.path ? `${path}/${route.path}` : path;
    const above = [...handles, route.module.handle];
    const below = leavesOf(build, route.id, whole, above);
    if (below.length > 0) return below;
    return [{ id: route.id, path: whole, handle: mergeHandles(above.map((handle) => ({ handle }))) }];
  });
}

export function createPages(
  { assets, ...parts }: ServerBuild,
  mode: string,
  report: (error: unknown) => void,
): Pages<Request, Response> {
  reportRender = report;
  const build = { ...parts, assets: leanTable(assets) };
  const leafOf = leafFinder(leavesOf(build));
  const handle = branchHandler(build, mode, (pathname) => leafOf(pathname)?.id);
  return {
    respond: async (request, { transport, theme, ...facts }) => {
      const visit: Visit = { ...facts, theme: asTheme(theme), transport, client: createQueryClient(transport) };
      const context = new RouterContextProvider();
      context.set(visitContext, visit);
      const response = await handle(request, context);
      return { response, still: stills.get(response) };
    },
    keepRule: (pathname) => {
      const handle: unknown = leafOf(pathname)?.handle;
      if (!isPageHandle(handle)) return undefined;
      return handle.hydrate === false ? { query: handle.query ?? [], freeText: handle.freeText ?? [] } : undefined;
    },
  };
}
