import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createConnectionLimit } from '../limits/connection-limit.ts';
import { toNetwork } from './client-address.ts';

type Network = { readonly key: string; readonly idle: Set<Socket> };

export interface ServerConnections {
  markBusy(socket: Socket): void;
}

/**
 * Limits the connections of a server. A connection beyond the limit of its network replaces an idle one of the same
 * network, so that idle connections do not lock out others at the same address. Behind a proxy all connections belong
 * to the proxy, so only `total` applies.
 */
export function limitServerConnections(
  server: Server,
  { total, perNetwork }: { total: number; perNetwork: number },
  isProxied: boolean,
): ServerConnections {
  server.maxConnections = total;
  const limit = createConnectionLimit({ max: perNetwork, pools: [{ open: 0, max: total }] });
  const networks = new Map<string, Network>();
  const networkBySocket = new WeakMap<Socket, Network>();
  const markBusy = (socket: Socket) => void networkBySocket.get(socket)?.idle.delete(socket);
  if (isProxied) return { markBusy };

  function close(socket: Socket): void {
    const network = networkBySocket.get(socket);
    if (!network) return;
    networkBySocket.delete(socket);
    network.idle.delete(socket);
    limit.close(network.key);
    if (limit.countOpen(network.key) === 0) networks.delete(network.key);
  }

  server.on('connection', (socket: Socket) => {
    const key = toNetwork(socket.remoteAddress ?? '');
    const network = networks.get(key) ?? { key, idle: new Set() };
    if (!limit.tryOpen(key)) {
      const [longestIdle] = network.idle;
      if (!longestIdle) return void socket.destroy();
      // The new connection replaces the idle one in the count.
      networkBySocket.delete(longestIdle);
      network.idle.delete(longestIdle);
      longestIdle.destroy();
    }
    networks.set(key, network);
    networkBySocket.set(socket, network);
    network.idle.add(socket);
    socket.once('close', () => close(socket));
  });
  server.on('request', ({ socket }, response) => {
    markBusy(socket);
    response.once('close', () => {
      if (!socket.destroyed) networkBySocket.get(socket)?.idle.add(socket);
    });
  });
  return { markBusy };
}
