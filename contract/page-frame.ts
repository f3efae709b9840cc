/** Interface between the server and the web app's server entry. */
import type { AnswerOf } from './atoms/route.ts';
import type { readHouse } from './house.ts';

export type PageCall = {
  method: string;
  path: string;
  route: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  headers: Record<string, string>;
  body?: string | object | undefined;
};
export type PageAnswer = { status: number; body: unknown };
export type Transport = (call: PageCall) => Promise<PageAnswer>;

/** Inlines stylesheets by URL. Undefined if one is unknown. */
export type Styles = (addresses: readonly string[]) => Uint8Array | undefined;

export type HouseSaid = AnswerOf<typeof readHouse>;

export type VisitFacts = {
  readonly transport: Transport;
  readonly isSignedIn: boolean;
  readonly hasEnded: boolean;
  readonly theme: string | undefined;
  readonly isOfAge: boolean;
  readonly nonce: string;
  readonly origin: string;
  readonly contactMail: string;
  readonly isDevelopment: boolean;
  readonly hindersInspection: boolean;
  readonly house: HouseSaid;
  readonly styles: Styles;
};

/** Pages are cached by the parameters in `query`, and not cached with one in `freeText`. */
export type KeepRule = { query: readonly string[]; freeText: readonly string[] };

/** A page without client-side app. Pages of one kind share the same `styles` string. */
export type StillPage = {
  readonly head: string;
  readonly styles: string;
  readonly tail: string;
  /** The page's `script-src`: none, or the hash of its inline script. */
  readonly scripts: string;
};

export type Pages<Asked, Answered> = {
  /** If `still` is set, it is the response body. */
  respond(request: Asked, facts: VisitFacts): Promise<{ response: Answered; still?: StillPage | undefined }>;
  keepRule(pathname: string): KeepRule | undefined;
};

/** `build` is React Router's server build. */
export type CreatePages<Asked, Answered> = (
  build: unknown,
  mode: string,
  report: (error: unknown) => void,
) => Pages<Asked, Answered>;
