/** The address of a client, and the network that it belongs to. */
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '../config.ts';

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
