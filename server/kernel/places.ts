/**
 * Where requests come from, as a country (and, where the database has it, a state) found by their address, and which creators are
 * not to be seen from there. Rooms ask `isHiddenHere`; the room that knows who hides where sets it.
 */
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

/** ISO 3166-1 of a country, and ISO 3166-2 of a state in it (`US-TX`) where it is known. */
export type Place = { readonly country: string; readonly state: string | undefined };

type Asker = Pick<Actor, 'userId' | 'type'>;

/** A request from a place where somebody is hidden. */
export type Here = {
  /** Says which creators are hidden: another when one more is, or one less. */
  readonly key: string;
  readonly place: Place;
  readonly hidden: ReadonlySet<string>;
  /** Never hidden from themselves. */
  readonly viewerId: string | undefined;
  /** Whom it was refused already, so that one request counts once. */
  readonly refused: Set<string>;
};

/** Who is hidden in a place; nothing where nobody is. */
export type HiddenIn = (place: Place) => { readonly key: string; readonly ids: ReadonlySet<string> } | undefined;

type Rules = {
  /** While nobody is hidden anywhere no address is looked up. */
  isIdle(): boolean;
  hidden: HiddenIn;
  refused(creatorId: string, place: Place): void;
};

export interface Places {
  /** Whether the database tells states, so that one can be chosen. */
  readonly hasStates: boolean;
  /** Set by the room that knows who is hidden where, once. */
  use(rules: Rules): void;
  /** Said by that room: others are hidden than before. */
  changed(): void;
  /** Hears that others are hidden than before. */
  onChange(listener: () => void): void;
  /** Undefined where nobody is hidden from that asker, as nearly everywhere. */
  hereOf(request: Pick<FastifyRequest, 'ip'>, asker: Asker | undefined): Here | undefined;
  /** Of a socket's request, which comes past the proxies that HTTP comes past. */
  hereOfSocket(request: IncomingMessage, asker: Asker | undefined): Here | undefined;
  /** Does it as asked from there; from nowhere in particular without. */
  within<T>(here: Here | undefined, work: () => T): T;
  /** Hears of every request of that server. What has a body loses it on the way, and is set in its place by `bind`. */
  watch(app: FastifyInstance): void;
}

const current = new AsyncLocalStorage<
  { readonly here: Here; readonly refuse: (creatorId: string) => void } | undefined
>();

/** Whether a creator is not to be seen from where the present request comes. Never to themselves. */
export function isHiddenHere(creatorId: string): boolean {
  const now = current.getStore();
  return now !== undefined && hides(now.here, creatorId);
}

/** Tells answers apart that are kept: the same from wherever nobody is hidden, and another for who is hidden there, but not from themselves. */
export function keyOfHere(): string {
  const here = current.getStore()?.here;
  if (!here) return '';
  return here.viewerId !== undefined && here.hidden.has(here.viewerId) ? `${here.key} ${here.viewerId}` : here.key;
}

/** Those who are hidden from the present request: nobody, nearly everywhere. */
export function hiddenHere(): string[] {
  const now = current.getStore();
  return now ? [...now.here.hidden].filter((id) => hides(now.here, id)) : [];
}

/** Refuses what belongs to a creator who is hidden here, as if there were none, and counts it. Throws NOT_FOUND. */
export function requireSeenHere(creatorId: string): void {
  const now = current.getStore();
  if (!now || !hides(now.here, creatorId)) return;
  now.refuse(creatorId);
  throw new AppError('NOT_FOUND');
}

export function hides({ hidden, viewerId }: Here, creatorId: string): boolean {
  return viewerId !== creatorId && hidden.has(creatorId);
}

/** Addresses of no country, of which databases may say one all the same: within networks, and in examples. */
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
  /** MaxMind's form. */
  country: z.optional(z.object({ iso_code: z.optional(code) })),
  subdivisions: z.optional(z.array(z.object({ iso_code: z.optional(z.string().check(z.regex(/^[A-Z0-9]{1,3}$/))) }))),
  /** That of the database which comes along. */
  country_code: z.optional(code),
});

/** Opens the database at the first look: whoever has nobody hidden holds none in memory. */
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
      // Of whom a connection is that is over, nothing is known; and proxies write what they like.
      if (!isIP(plain) || NOWHERE.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')) return undefined;
      const row = z.safeParse(found, open().get(plain));
      if (!row.success) return undefined;
      const country = row.data.country?.iso_code ?? row.data.country_code;
      const state = row.data.subdivisions?.[0]?.iso_code;
      return country === undefined ? undefined : { country, state: state && `${country}-${state}` };
    },
  };
}

/** `geoDatabase`: a file in MaxMind's format; empty for the one that comes along. */
export function createPlaces({ geoDatabase, trustProxy }: Pick<Config, 'geoDatabase' | 'trustProxy'>): Places {
  const database = openDatabase(geoDatabase);
  // A wrong file is told at the start, and not by the first who is to be hidden from.
  const hasStates =
    geoDatabase !== '' && /city|subdivision|enterprise|insights/i.test(database.open().metadata.databaseType);
  const addressOf = forwardedAddress(trustProxy);
  let rules: Rules | undefined;
  const listeners: (() => void)[] = [];
  /** By the request: where it is from, which a socket's is for as long as it is open; null for nowhere in particular. */
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
    // Who is hidden may be others by now.
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
