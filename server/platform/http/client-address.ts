import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { isIP, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '../config.ts';

export type ConnectionLimits = { total: number; perNetwork: number };

/** Returns the eight groups of an IPv6 address, whose last two may be written as an IPv4 address (RFC 4291, 2.2). */
function parseIpv6Groups(address: string): number[] {
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
const IPV4_PREFIXES = [[0, 0, 0, 0, 0, 0xffff], [0x64, 0xff9b, 0, 0, 0, 0], [0x2002]];

/**
 * Returns the IPv4 address embedded in an IPv6 address, or the text unchanged. Not for trust decisions, because anyone
 * can write such an address.
 */
export function toPlainAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = parseIpv6Groups(address);
  const prefix = IPV4_PREFIXES.find((start) => start.every((group, n) => groups[n] === group));
  if (!prefix) return address;
  const embedded = groups.slice(prefix.length, prefix.length + 2);
  return embedded.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

/**
 * Returns what a provider assigns to one customer: an IPv4 address, or the first 56 bits of an IPv6 address (RFC 6177;
 * RIPE-690, 4.2).
 */
export function toNetwork(address: string): string {
  const plain = toPlainAddress(address);
  if (!isIPv6(plain)) return plain;
  const groups = parseIpv6Groups(plain).slice(0, 4);
  return groups.map((group, n) => (n < 3 ? group : group & 0xff00).toString(16)).join(':');
}

/** `address:port` and `[address]:port`, as some proxies write forwarded addresses (RFC 7239, 6). */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d+)?$/;
const FORWARDED_FOR = 'x-forwarded-for';

/**
 * Reduces `x-forwarded-for` to addresses without ports. An invalid hop and everything before it is dropped, because no
 * proxy vouches for it.
 */
export function cleanForwardedFor({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const header = headers[FORWARDED_FOR];
  if (header === undefined) return;
  const addresses: string[] = [];
  for (const hop of String(header).split(',').reverse()) {
    const plain = hop.trim();
    const { v6, v4 } = WITH_PORT.exec(plain)?.groups ?? {};
    const address = v6 ?? v4 ?? plain;
    if (!isIP(address)) break;
    addresses.unshift(address);
  }
  if (addresses.length > 0) headers[FORWARDED_FOR] = addresses.join(', ');
  else delete headers[FORWARDED_FOR];
}

/** Returns the client address behind trusted proxies, as Fastify determines it, for requests that bypass Fastify. */
export function createAddressResolver(
  trustProxy: Config['trustProxy'],
): (request: IncomingMessage) => string | undefined {
  const trust = proxyAddr.compile(trustProxy === false ? [] : [...trustProxy]);
  return (request) => {
    cleanForwardedFor(request);
    return proxyAddr(request, trust);
  };
}

/**
 * Returns how much of a shared resource one caller may use. The share shrinks once half of the total is used, so that a
 * few callers cannot take everything.
 */
export function calculateShare(limit: number, used: number, capacity: number): number {
  return Math.ceil(limit * Math.min(1, Math.max(0, 2 * (1 - used / capacity))));
}

type Network = { open: number; readonly idle: Set<Socket> };

export interface Connections {
  markBusy(socket: Socket): void;
}

/**
 * Limits the connections of a server. A connection beyond the limit of its network replaces an idle one of the same
 * network, so that idle connections do not lock out others at the same address. Behind a proxy all connections belong
 * to the proxy, so only `total` applies.
 */
export function limitConnections(
  server: Server,
  { total, perNetwork }: ConnectionLimits,
  isProxied: boolean,
): Connections {
  server.maxConnections = total;
  const networks = new Map<string, Network>();
  const networkBySocket = new WeakMap<Socket, Network>();
  let totalOpen = 0;
  const markBusy = (socket: Socket) => void networkBySocket.get(socket)?.idle.delete(socket);
  if (isProxied) return { markBusy };
  server.on('connection', (socket: Socket) => {
    const key = toNetwork(socket.remoteAddress ?? '');
    const network = networks.get(key) ?? { open: 0, idle: new Set() };
    if (network.open >= calculateShare(perNetwork, totalOpen, total)) {
      const [longestIdle] = network.idle;
      if (!longestIdle) return void socket.destroy();
      network.idle.delete(longestIdle);
      longestIdle.destroy();
    }
    networks.set(key, network);
    networkBySocket.set(socket, network);
    network.open += 1;
    network.idle.add(socket);
    totalOpen += 1;
    socket.once('close', () => {
      totalOpen -= 1;
      network.open -= 1;
      network.idle.delete(socket);
      if (network.open === 0) networks.delete(key);
    });
  });
  server.on('request', ({ socket }, response) => {
    markBusy(socket);
    response.once('close', () => {
      if (!socket.destroyed) networkBySocket.get(socket)?.idle.add(socket);
    });
  });
  return { markBusy };
}
