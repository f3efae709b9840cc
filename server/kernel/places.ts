/** Geo-IP and geo-blocking. Modules call `isHiddenHere`. The geo-blocking module provides the rules. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Reader, type Response } from 'maxmind';
import * as z from 'zod/mini';
import type { Config } from './config.ts';
import { forwardedAddress, plainAddress } from './connections.ts';
import type { Actor } from './session.ts';

/** ISO 3166-1 country, and ISO 3166-2 state (`US-TX`) if known. */
export type Place = { readonly country: string; readonly state: string | undefined };

type Asker = Pick<Actor, 'userId' | 'type'>;

export type Here = {
  readonly key: string;
  readonly place: Place;
  readonly hidden: ReadonlySet<string>;
  readonly viewerId: string | undefined;
  /** Creators already refused, so that one request counts once. */
  readonly refused: Set<string>;
};

export type HiddenIn = (place: Place) => { readonly key: string; readonly ids: ReadonlySet<string> } | undefined;

type Rules = {
  /** While no creator is hidden anywhere, no address is looked up. */
  isIdle(): boolean;
  hidden: HiddenIn;
  refused(creatorId: string, place: Place): void;
};

export interface Places {
  readonly hasStates: boolean;
  use(rules: Rules): void;
  changed(): void;
  onChange(listener: () => void): void;
  hereOf(request: Pick<FastifyRequest, 'ip'>, asker: Asker | undefined): Here | undefined;
  hereOfSocket(request: IncomingMessage, asker: Asker | undefined): Here | undefined;
  within<T>(here: Here | undefined, work: () => T): T;
  /** Sets the location for every request of a server. Reading a body loses it, so `bind` sets it again. */
  watch(app: FastifyInstance): void;
}

const current = new AsyncLocalStorage<
  { readonly here: Here; readonly refuse: (creatorId: string) => void } | undefined
>();

/** Whether a creator is hidden from the current request. Never from themselves. */
export function isHiddenHere(creatorId: string): boolean {
  const now = current.getStore();
  return now !== undefined && hides(now.here, creatorId);
}

/**
 * Cache key for responses: empty where no creator is hidden, and separate for a creator who is hidden at their own
 * location.
 */
export function keyOfHere(): string {
  const here = current.getStore()?.here;
  if (!here) return '';
  return here.viewerId !== undefined && here.hidden.has(here.viewerId) ? `${here.key} ${here.viewerId}` : here.key;
}

export function hiddenHere(): string[] {
  const now = current.getStore();
  return now ? [...now.here.hidden].filter((id) => hides(now.here, id)) : [];
}

/** Throws NOT_FOUND for content of a creator who is hidden here, and counts the refusal. */
export function requireSeenHere(creatorId: string): void {
  const now = current.getStore();
  if (!now || !hides(now.here, creatorId)) return;
  now.refuse(creatorId);
  throw new AppError('NOT_FOUND');
}

export function hides({ hidden, viewerId }: Here, creatorId: string): boolean {
  return viewerId !== creatorId && hidden.has(creatorId);
}

/** Private and documentation networks, for which databases may name a country. */
const NOWHERE = new BlockList();
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
  NOWHERE.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['2001:db8::', 32],
] as const)
  NOWHERE.addSubnet(net, bits, 'ipv6');

const code = z.string().check(z.regex(/^[A-Z]{2}$/));
const found = z.object({
  country: z.optional(z.object({ iso_code: z.optional(code) })),
  subdivisions: z.optional(z.array(z.object({ iso_code: z.optional(z.string().check(z.regex(/^[A-Z0-9]{1,3}$/))) }))),
  country_code: z.optional(code),
});

function openDatabase(file: string) {
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
    find: (address: string | undefined): Place | undefined => {
      const plain = plainAddress(address ?? '');
      // A closed connection has no address, and proxies may send anything.
      if (!isIP(plain) || NOWHERE.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')) return undefined;
      const row = z.safeParse(found, open().get(plain));
      if (!row.success) return undefined;
      const country = row.data.country?.iso_code ?? row.data.country_code;
      const state = row.data.subdivisions?.[0]?.iso_code;
      return country === undefined ? undefined : { country, state: state && `${country}-${state}` };
    },
  };
}

export function createPlaces({ geoDatabase, trustProxy }: Pick<Config, 'geoDatabase' | 'trustProxy'>): Places {
  const database = openDatabase(geoDatabase);
  // Opens a configured file at the start, so that a wrong one fails early.
  const hasStates =
    geoDatabase !== '' && /city|subdivision|enterprise|insights/i.test(database.open().metadata.databaseType);
  const addressOf = forwardedAddress(trustProxy);
  let rules: Rules | undefined;
  const listeners: (() => void)[] = [];
  /** Location by request, null when unknown. A socket keeps its location while it is open. */
  const placeOf = new WeakMap<object, Place | null>();
  const known = new WeakMap<object, Here>();

  function placeAt(request: object, address: () => string | undefined): Place | null {
    const earlier = placeOf.get(request);
    if (earlier !== undefined) return earlier;
    const place = database.find(address()) ?? null;
    placeOf.set(request, place);
    return place;
  }

  function hereAt(request: object, address: () => string | undefined, asker: Asker | undefined): Here | undefined {
    if (!rules || rules.isIdle() || asker?.type === 'operator') return undefined;
    const place = placeAt(request, address);
    const hidden = place && rules.hidden(place);
    if (!place || !hidden) return undefined;
    const earlier = known.get(request);
    if (earlier?.key === hidden.key) return { ...earlier, viewerId: asker?.userId };
    const here = { key: hidden.key, place, hidden: hidden.ids, viewerId: asker?.userId, refused: new Set<string>() };
    known.set(request, here);
    return here;
  }
  const within = <T>(here: Here | undefined, work: () => T): T =>
    current.run(
      here && {
        here,
        refuse: (creatorId) => {
          if (here.refused.has(creatorId)) return;
          here.refused.add(creatorId);
          rules?.refused(creatorId, here.place);
        },
      },
      work,
    );
  return {
    hasStates,
    use: (given) => {
      rules = given;
    },
    changed: () => {
      for (const listener of listeners) listener();
    },
    onChange: (listener) => void listeners.push(listener),
    hereOf: (request, asker) => hereAt(request, () => request.ip, asker),
    hereOfSocket: (request, asker) => hereAt(request, () => addressOf(request), asker),
    within,
    watch: (app) => {
      app.addHook('onRequest', (request, _reply, done) => {
        const here = hereAt(request, () => request.ip, request.actor);
        if (here) within(here, done);
        else done();
      });
    },
  };
}
