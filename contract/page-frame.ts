/** What the server and the pages' server entry agree on: the server hands over a request and what it knows of it, and gets HTML. */
import type { AnswerOf } from './atoms/route.ts';
import type { readHouse } from './house.ts';

/** One call from a page to the API, and its answer. */
export type PageCall = {
  method: string;
  path: string;
  /** The contract route's own path, and what it is asked with. */
  route: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  headers: Record<string, string>;
  /** Text, or a form with files. */
  body?: string | object | undefined;
};
export type PageAnswer = { status: number; body: unknown };
export type Transport = (call: PageCall) => Promise<PageAnswer>;

/** Stylesheets by their addresses as one style element, for pages that carry their styles inside; nothing if one isn't known. */
export type Styles = (addresses: readonly string[]) => Uint8Array | undefined;

/** What is said to whoever asks: what is stopped, maintenance, announcements. */
export type HouseSaid = AnswerOf<typeof readHouse>;

/** What the server tells of a request. */
export type VisitFacts = {
  /** In-process calls with the visitor's cookies. */
  readonly transport: Transport;
  /** A living session came with the request. */
  readonly isSignedIn: boolean;
  /** The request's session has ended: nobody is logged in who was. */
  readonly hasEnded: boolean;
  readonly theme: string | undefined;
  readonly isOfAge: boolean;
  readonly nonce: string;
  /** `https://stagedoor.example`, for canonical and Open Graph addresses. */
  readonly origin: string;
  readonly contactMail: string;
  readonly isDevelopment: boolean;
  /** The operator wants protected media made harder to inspect. */
  readonly hindersInspection: boolean;
  /** What operators have stopped, with the words for it; those for everybody while there is maintenance; and what is announced to who asks. */
  readonly house: HouseSaid;
  readonly styles: Styles;
};

/** How a visitor's page may be kept: by these search parameters; not at all with any of those. */
export type KeepRule = { query: readonly string[]; freeText: readonly string[] };

/** A page without the app, in three parts: pages of one kind share the one in the middle, which is always the same string. */
export type StillPage = {
  readonly head: string;
  readonly styles: string;
  readonly tail: string;
  /** What its policy allows as script: none, or the hash of what stands in it. */
  readonly scripts: string;
};

/** `Asked` and `Answered` are the platform's Request and Response. */
export type Pages<Asked, Answered> = {
  /** With a still page, which then is the answer's body. */
  respond(request: Asked, facts: VisitFacts): Promise<{ response: Answered; still?: StillPage | undefined }>;
  /** Undefined for pages that are not kept. */
  keepRule(pathname: string): KeepRule | undefined;
};

/** The entry's one export that the server calls. `build` is the router's. */
export type CreatePages<Asked, Answered> = (
  build: unknown,
  mode: string,
  report: (error: unknown) => void,
) => Pages<Asked, Answered>;
