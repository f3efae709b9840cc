/** How many connections the server holds: in all, and of one network. What is too much is closed before it is read. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';

export type ConnectionLimits = { inAll: number; ofNetwork: number };

/** What one customer of a provider is given: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  // IPv4 in the clothes of IPv6, as sockets of both kinds say it.
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::', 2);
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** Holds a server to limits. Behind a proxy all connections are the proxy's, so only `inAll` is counted there. */
export function limitConnections(server: Server, { inAll, ofNetwork }: ConnectionLimits, isProxied: boolean): void {
  server.maxConnections = inAll;
  if (isProxied) return;
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (counts.get(network) ?? 0) + 1;
    if (count > ofNetwork) return void socket.destroy();
    counts.set(network, count);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    });
  });
}
