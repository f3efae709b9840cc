import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { isIP, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from './config.ts';

export type ConnectionLimits = { inAll: number; ofNetwork: number };

/** Returns the eight groups of an IPv6 address, whose last two may be written as an IPv4 address (RFC 4291, 2.2). */
function groupsOf(address: string): number[] {
  const pair = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16);
  const hex = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)/,
    (_, a: string, b: string, c: string, d: string) => `${pair(a, b)}:${pair(c, d)}`,
  );
  const [head = '', tail] = hex.split('::', 2);
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}

/**
 * Prefixes of IPv6 addresses that embed an IPv4 address: mapped (RFC 4291, 2.5.5.2), NAT64 (RFC 6052, 2.1), 6to4 (RFC
 * 3056, 2).
 */
const CARRIERS = [[0, 0, 0, 0, 0, 0xffff], [0x64, 0xff9b, 0, 0, 0, 0], [0x2002]];

/**
 * Returns the IPv4 address embedded in an IPv6 address, or the text unchanged. Not for trust decisions, because anyone
 * can write such an address.
 */
export function plainAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const carrier = CARRIERS.find((start) => start.every((group, n) => groups[n] === group));
  if (!carrier) return address;
  const carried = groups.slice(carrier.length, carrier.length + 2);
  return carried.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

/**
 * Returns what a provider assigns to one customer: an IPv4 address, or the first 56 bits of an IPv6 address (RFC 6177;
 * RIPE-690, 4.2).
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const groups = groupsOf(plain).slice(0, 4);
  return groups.map((group, n) => (n < 3 ? group : group & 0xff00).toString(16)).join(':');
}

/** `address:port` and `[address]:port`, as some proxies write forwarded addresses (RFC 7239, 6). */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d+)?$/;
const HOPS = 'x-forwarded-for';

/**
 * Reduces `x-forwarded-for` to addresses without ports. An invalid hop and everything before it is dropped, because no
 * proxy vouches for it.
 */
export function keepAddresses({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const said = headers[HOPS];
  if (said === undefined) return;
  const kept: string[] = [];
  for (const hop of String(said).split(',').reverse()) {
    const plain = hop.trim();
    const { v6, v4 } = WITH_PORT.exec(plain)?.groups ?? {};
    const address = v6 ?? v4 ?? plain;
    if (!isIP(address)) break;
    kept.unshift(address);
  }
  if (kept.length > 0) headers[HOPS] = kept.join(', ');
  else delete headers[HOPS];
}

/** Returns the client address behind trusted proxies, as Fastify determines it, for requests that bypass Fastify. */
export function forwardedAddress(trustProxy: Config['trustProxy']): (request: IncomingMessage) => string | undefined {
  const trust = proxyAddr.compile(trustProxy === false ? [] : [...trustProxy]);
  return (request) => {
    keepAddresses(request);
    return proxyAddr(request, trust);
  };
}

/**
 * Returns how much of a shared resource one caller may use. The share shrinks once half of the total is used, so that a
 * few callers cannot take everything.
 */
export function shareOf(part: number, held: number, all: number): number {
  return Math.ceil(part * Math.min(1, Math.max(0, 2 * (1 - held / all))));
}

type Network = { held: number; readonly resting: Set<Socket> };

export interface Connections {
  work(socket: Socket): void;
}

/**
 * Limits the connections of a server. A connection beyond the limit of its network replaces an idle one of the same
 * network, so that idle connections do not lock out others at the same address. Behind a proxy all connections belong
 * to the proxy, so only `inAll` applies.
 */
export function limitConnections(
  server: Server,
  { inAll, ofNetwork }: ConnectionLimits,
  isProxied: boolean,
): Connections {
  server.maxConnections = inAll;
  const networks = new Map<string, Network>();
  const networkAt = new WeakMap<Socket, Network>();
  let held = 0;
  const work = (socket: Socket) => void networkAt.get(socket)?.resting.delete(socket);
  if (isProxied) return { work };
  server.on('connection', (socket: Socket) => {
    const key = networkOf(socket.remoteAddress ?? '');
    const network = networks.get(key) ?? { held: 0, resting: new Set() };
    if (network.held >= shareOf(ofNetwork, held, inAll)) {
      const [longest] = network.resting;
      if (!longest) return void socket.destroy();
      network.resting.delete(longest);
      longest.destroy();
    }
    networks.set(key, network);
    networkAt.set(socket, network);
    network.held += 1;
    network.resting.add(socket);
    held += 1;
    socket.once('close', () => {
      held -= 1;
      network.held -= 1;
      network.resting.delete(socket);
      if (network.held === 0) networks.delete(key);
    });
  });
  server.on('request', ({ socket }, response) => {
    work(socket);
    response.once('close', () => {
      if (!socket.destroyed) networkAt.get(socket)?.resting.add(socket);
    });
  });
  return { work };
}
