/** Every route and every socket event, for what must be complete: the server's binding, OpenAPI, the hostile matrix. */
import * as accounts from './accounts.ts';
import type { EventSpec } from './atoms/event.ts';
import type { RouteSpec } from './atoms/route.ts';
import * as broadcasts from './broadcasts.ts';
import * as chat from './chat.ts';
import * as chatLive from './chat-live.ts';
import * as chatTerms from './chat-terms.ts';
import * as development from './development.ts';
import * as drafts from './drafts.ts';
import * as media from './media.ts';
import * as posts from './posts.ts';
import * as presence from './presence.ts';
import * as profiles from './profiles.ts';
import * as wallet from './wallet.ts';

const CAPABILITIES = {
  accounts,
  presence,
  profiles,
  media,
  posts,
  drafts,
  wallet,
  chat,
  chatLive,
  chatTerms,
  broadcasts,
  development,
} as const;

function isRoute(value: unknown): value is RouteSpec {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'auth' in value;
}

function isEvent(value: unknown): value is EventSpec {
  return typeof value === 'object' && value !== null && 'audience' in value && 'payload' in value;
}

/** Every route, with its exported name and capability. */
export const ROUTES = Object.entries(CAPABILITIES).flatMap(([capability, exports]) =>
  Object.entries(exports).flatMap(([name, value]) =>
    isRoute(value) ? [{ name, capability, route: value as RouteSpec }] : [],
  ),
);

/** Every server-to-client event, with its exported name. */
export const EVENTS = Object.entries(CAPABILITIES).flatMap(([, exports]) =>
  Object.entries(exports).flatMap(([name, value]) => (isEvent(value) ? [{ name, event: value as EventSpec }] : [])),
);
