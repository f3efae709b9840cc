/** The server's way into the pages: it hands over a request and what it knows of the visitor, and gets HTML whole. */
import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import {
  createRequestHandler,
  type EntryContext,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router';
import type { Transport } from '../kernel/api.ts';
import { mergeHandles, type PageHandle } from '../kernel/page.ts';
import { createQueryClient } from '../kernel/query.ts';
import { asTheme } from '../kernel/theme.ts';
import { type Visit, visitContext } from '../kernel/visit.ts';
import { RequestFrame } from './request-frame.tsx';

/** What the server tells of a request. */
export interface VisitFacts {
  transport: Transport;
  isSignedIn: boolean;
  theme: string | undefined;
  isOfAge: boolean;
  nonce: string;
  origin: string;
  contactMail: string;
  isDevelopment: boolean;
  /** The text of a stylesheet by its address, for pages that carry their styles inside. */
  styles: ReadonlyMap<string, string>;
}

/** How a visitor's page may be kept: by these search parameters; not at all with any of those. */
export interface KeepRule {
  query: readonly string[];
  freeText: readonly string[];
}

export interface Pages {
  respond(request: Request, facts: VisitFacts): Promise<Response>;
  /** Undefined for pages that are not kept. */
  keepRule(pathname: string): KeepRule | undefined;
}

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

/** The text of every stylesheet that the matched routes link, or nothing if one isn't known. */
function stylesOf(router: EntryContext, { styles }: Visit): string | undefined {
  const addresses = new Set(
    router.staticHandlerContext.matches.flatMap(({ route }) => router.manifest.routes[route.id]?.css ?? []),
  );
  const texts = [...addresses].map((address) => styles.get(address));
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join('\n');
}

/** Renders the whole page before answering: it is compressed at once, and needs no script to fill itself in. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const visit = context.get(visitContext);
  const css = stylesOf(router, visit);
  let failed = false;
  const html = await new Promise<Buffer>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <RequestFrame visit={visit} css={css}>
        <ServerRouter context={router} url={request.url} nonce={visit.nonce} />
      </RequestFrame>,
      {
        nonce: visit.nonce,
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady: () => void pipe(collect(resolve, reject)),
        onShellError: reject,
        onError: (error) => {
          failed = true;
          reportRender(error);
        },
      },
    );
  });
  headers.set('content-type', 'text/html; charset=utf-8');
  return new Response(new Uint8Array(html), { status: failed && status < 500 ? 500 : status, headers });
}

let reportRender: (error: unknown) => void = () => undefined;

/** Called by React Router for whatever loaders and rendering throw; refusals are answers, not faults. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  if (!request.signal.aborted) reportRender(error);
}

/** The route table as the matcher takes it, with each route's handle. */
function routeObjects(build: ServerBuild, parentId?: string): RouteObject[] {
  return Object.values(build.routes).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return [];
    const handle = route.module.handle;
    const path = route.path === undefined ? {} : { path: route.path };
    if (route.index) return [{ index: true, id: route.id, handle, ...path }];
    return [{ id: route.id, handle, ...path, children: routeObjects(build, route.id) }];
  });
}

/** Binds the pages to their build. `report` is told of faults while rendering. */
export function createPages(build: ServerBuild, mode: string, report: (error: unknown) => void): Pages {
  reportRender = report;
  const handle = createRequestHandler(build, mode);
  const routes = routeObjects(build);
  return {
    respond: (request, { transport, theme, ...facts }) => {
      const visit: Visit = { ...facts, theme: asTheme(theme), transport, client: createQueryClient(transport) };
      const context = new RouterContextProvider();
      context.set(visitContext, visit);
      return handle(request, context);
    },
    keepRule: (pathname) => {
      const matches = matchRoutes(routes, pathname);
      if (!matches) return undefined;
      const {
        hydrate,
        query = [],
        freeText = [],
      }: PageHandle = mergeHandles(matches.map(({ route }) => ({ handle: route.handle })));
      return hydrate === false ? { query, freeText } : undefined;
    },
  };
}
