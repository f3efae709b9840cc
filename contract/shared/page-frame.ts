/** Interface between the server and the web app's server entry. */

import type { getSiteStatus } from '../commerce/site-status.ts';
import type { ResponseInputOf } from './route.ts';

export type PageCall = {
  method: string;
  path: string;
  route: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  headers: Record<string, string>;
  body?: string | object | undefined;
};
export type PageResponse = { status: number; body: unknown };
export type PageTransport = (call: PageCall) => Promise<PageResponse>;

/** Inlines stylesheets by URL. Undefined if one is unknown. */
export type InlineStyles = (addresses: readonly string[]) => Uint8Array | undefined;

export type PageSiteStatus = ResponseInputOf<typeof getSiteStatus>;

export type PageContext = {
  readonly transport: PageTransport;
  readonly isSignedIn: boolean;
  /** The server's time before it reads the page's data, in ms. */
  readonly readAt: number;
  readonly hasEnded: boolean;
  readonly theme: string | undefined;
  /** As the browser sent it. Undefined for visitors and operators, who read UTC. */
  readonly timeZone?: string | undefined;
  readonly isOfAge: boolean;
  readonly nonce: string;
  readonly origin: string;
  readonly contactMail: string;
  readonly isDevelopment: boolean;
  readonly isContentProtected: boolean;
  readonly siteStatus: PageSiteStatus;
  readonly styles: InlineStyles;
};

/**
 * Pages are cached by the parameters in `query` and `codes`, and not cached with one in `freeText`. The case of codes does not
 * count, and a page whose code is refused is not cached.
 */
export type PageCacheRule = { query: readonly string[]; codes: readonly string[]; freeText: readonly string[] };

/** A page without client-side app. Pages of one kind share the same `styles` string. */
export type StaticPage = {
  readonly head: string;
  readonly styles: string;
  readonly tail: string;
  /** The page's `script-src`: none, or the hash of its inline script. */
  readonly scripts: string;
};

export type PageRenderer<RequestLike, ResponseLike> = {
  /** If `staticPage` is set, it is the response body. */
  respond(
    request: RequestLike,
    context: PageContext,
  ): Promise<{ response: ResponseLike; staticPage?: StaticPage | undefined }>;
  findCacheRule(pathname: string): PageCacheRule | undefined;
};

/** `build` is React Router's server build. */
export type CreatePageRenderer<RequestLike, ResponseLike> = (
  build: unknown,
  mode: string,
  report: (error: unknown) => void,
) => PageRenderer<RequestLike, ResponseLike>;
