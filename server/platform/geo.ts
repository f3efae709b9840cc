/** Geo-IP and geo-blocking. Modules call `isGeoBlocked`. The geo-blocking module provides the rules. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Reader, type Response } from 'maxmind';
import * as z from 'zod/mini';
import type { Config } from './config.ts';
import { createAddressResolver, toPlainAddress } from './http/client-address.ts';
import type { Actor } from './security/session.ts';

/** ISO 3166-1 country, and ISO 3166-2 state (`US-TX`) if known. */
export type GeoLocation = { readonly country: string; readonly state: string | undefined };

type GeoViewer = Pick<Actor, 'userId' | 'type'>;

export type GeoContext = {
  readonly key: string;
  readonly geoLocation: GeoLocation;
  readonly blockedIds: ReadonlySet<string>;
  readonly viewerId: string | undefined;
  /** Creators already refused, so that one request counts once. */
  readonly countedIds: Set<string>;
};

export type FindGeoBlocks = (
  geoLocation: GeoLocation,
) => { readonly key: string; readonly ids: ReadonlySet<string> } | undefined;

type GeoBlockRules = {
  /** While no creator is hidden anywhere, no address is looked up. */
  hasNoBlocks(): boolean;
  findBlocks: FindGeoBlocks;
  countHit(creatorId: string, geoLocation: GeoLocation): void;
};

export interface GeoBlocking {
  readonly hasStates: boolean;
  setRules(rules: GeoBlockRules): void;
  emitChange(): void;
  onChange(listener: () => void): void;
  findContext(request: Pick<FastifyRequest, 'ip'>, viewer: GeoViewer | undefined): GeoContext | undefined;
  findSocketContext(request: IncomingMessage, viewer: GeoViewer | undefined): GeoContext | undefined;
  runWith<T>(geoContext: GeoContext | undefined, work: () => T): T;
  /** Sets the location for every request of a server. Reading a body loses it, so `bind` sets it again. */
  addRequestHook(app: FastifyInstance): void;
}

const current = new AsyncLocalStorage<
  { readonly geoContext: GeoContext; readonly refuseCreator: (creatorId: string) => void } | undefined
>();

/** Whether a creator is hidden from the current request. Never from themselves. */
export function isGeoBlocked(creatorId: string): boolean {
  const store = current.getStore();
  return store !== undefined && isBlockedIn(store.geoContext, creatorId);
}

/**
 * Cache key for responses: empty where no creator is hidden, and separate for a creator who is hidden at their own
 * location.
 */
export function getGeoCacheKey(): string {
  const geoContext = current.getStore()?.geoContext;
  if (!geoContext) return '';
  return geoContext.viewerId !== undefined && geoContext.blockedIds.has(geoContext.viewerId)
    ? `${geoContext.key} ${geoContext.viewerId}`
    : geoContext.key;
}

export function listGeoBlockedIds(): string[] {
  const store = current.getStore();
  return store ? [...store.geoContext.blockedIds].filter((id) => isBlockedIn(store.geoContext, id)) : [];
}

/** Throws NOT_FOUND for content of a creator who is hidden here, and counts the refusal. */
export function requireNotGeoBlocked(creatorId: string): void {
  const store = current.getStore();
  if (!store || !isBlockedIn(store.geoContext, creatorId)) return;
  store.refuseCreator(creatorId);
  throw new AppError('NOT_FOUND');
}

export function isBlockedIn({ blockedIds, viewerId }: GeoContext, creatorId: string): boolean {
  return viewerId !== creatorId && blockedIds.has(creatorId);
}

/** Private and documentation networks, for which databases may name a country. */
const PRIVATE_NETWORKS = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['192.0.2.0', 24],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
] as const)
  PRIVATE_NETWORKS.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['2001:db8::', 32],
] as const)
  PRIVATE_NETWORKS.addSubnet(net, bits, 'ipv6');

const code = z.string().check(z.regex(/^[A-Z]{2}$/));
const geoRecord = z.object({
  country: z.optional(z.object({ iso_code: z.optional(code) })),
  subdivisions: z.optional(z.array(z.object({ iso_code: z.optional(z.string().check(z.regex(/^[A-Z0-9]{1,3}$/))) }))),
  country_code: z.optional(code),
});

function openGeoDatabase(file: string) {
  let reader: Reader<Response> | undefined;
  const open = () => {
    reader ??= new Reader(
      readFileSync(
        file === ''
          ? createRequire(import.meta.url).resolve(
              '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
            )
          : file,
      ),
    );
    return reader;
  };
  return {
    open,
    find: (address: string | undefined): GeoLocation | undefined => {
      const plain = toPlainAddress(address ?? '');
      // A closed connection has no address, and proxies may send anything.
      if (!isIP(plain) || PRIVATE_NETWORKS.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')) return undefined;
      const row = z.safeParse(geoRecord, open().get(plain));
      if (!row.success) return undefined;
      const country = row.data.country?.iso_code ?? row.data.country_code;
      const state = row.data.subdivisions?.[0]?.iso_code;
      return country === undefined ? undefined : { country, state: state && `${country}-${state}` };
    },
  };
}

export function createGeoBlocking({
  geoDatabase,
  trustProxy,
}: Pick<Config, 'geoDatabase' | 'trustProxy'>): GeoBlocking {
  const database = openGeoDatabase(geoDatabase);
  // Opens a configured file at the start, so that a wrong one fails early.
  const hasStates =
    geoDatabase !== '' && /city|subdivision|enterprise|insights/i.test(database.open().metadata.databaseType);
  const resolveAddress = createAddressResolver(trustProxy);
  let rules: GeoBlockRules | undefined;
  const listeners: (() => void)[] = [];
  /** Location by request, null when unknown. A socket keeps its location while it is open. */
  const locations = new WeakMap<object, GeoLocation | null>();
  const contexts = new WeakMap<object, GeoContext>();

  function findLocation(request: object, address: () => string | undefined): GeoLocation | null {
    const earlier = locations.get(request);
    if (earlier !== undefined) return earlier;
    const geoLocation = database.find(address()) ?? null;
    locations.set(request, geoLocation);
    return geoLocation;
  }

  function findContextFor(
    request: object,
    address: () => string | undefined,
    viewer: GeoViewer | undefined,
  ): GeoContext | undefined {
    if (!rules || rules.hasNoBlocks() || viewer?.type === 'operator') return undefined;
    const geoLocation = findLocation(request, address);
    const blocks = geoLocation && rules.findBlocks(geoLocation);
    if (!geoLocation || !blocks) return undefined;
    const earlier = contexts.get(request);
    if (earlier?.key === blocks.key) return { ...earlier, viewerId: viewer?.userId };
    const geoContext = {
      key: blocks.key,
      geoLocation,
      blockedIds: blocks.ids,
      viewerId: viewer?.userId,
      countedIds: new Set<string>(),
    };
    contexts.set(request, geoContext);
    return geoContext;
  }
  const runWith = <T>(geoContext: GeoContext | undefined, work: () => T): T =>
    current.run(
      geoContext && {
        geoContext,
        refuseCreator: (creatorId) => {
          if (geoContext.countedIds.has(creatorId)) return;
          geoContext.countedIds.add(creatorId);
          rules?.countHit(creatorId, geoContext.geoLocation);
        },
      },
      work,
    );
  return {
    hasStates,
    setRules: (newRules) => {
      rules = newRules;
    },
    emitChange: () => {
      for (const listener of listeners) listener();
    },
    onChange: (listener) => void listeners.push(listener),
    findContext: (request, viewer) => findContextFor(request, () => request.ip, viewer),
    findSocketContext: (request, viewer) => findContextFor(request, () => resolveAddress(request), viewer),
    runWith,
    addRequestHook: (app) => {
      app.addHook('onRequest', (request, _reply, done) => {
        const geoContext = findContextFor(request, () => request.ip, request.actor);
        if (geoContext) runWith(geoContext, done);
        else done();
      });
    },
  };
}
