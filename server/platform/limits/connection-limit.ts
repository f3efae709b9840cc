/** Limits how many connections are open at the same time, per client and in total. */
import { KeyCounts } from './key-counts.ts';

/** Connections that several limits count together. */
export type ConnectionPool = { open: number; readonly max: number };

export type ConnectionLimitOptions = {
  /** Open connections of each client. Shrinks with the remaining capacity of each pool. */
  readonly max: number;
  readonly pools: readonly ConnectionPool[];
};

/** A client is an account, or a network of anonymous callers. */
export interface ConnectionLimit {
  countOpen(client: string): number;
  /** Counts one more connection, or returns false. */
  tryOpen(client: string): boolean;
  /** Must be called exactly once for each opened connection. */
  close(client: string): void;
}

/**
 * Returns how many connections one client may have. The share shrinks once half of the pool is used, so that a few
 * clients cannot take everything.
 */
function calculateShare(max: number, pool: ConnectionPool): number {
  return Math.ceil(max * Math.min(1, Math.max(0, 2 * (1 - pool.open / pool.max))));
}

export function createConnectionLimit({ max, pools }: ConnectionLimitOptions): ConnectionLimit {
  const openByClient = new KeyCounts();
  function add(client: string, delta: 1 | -1): void {
    openByClient.add(client, delta);
    for (const pool of pools) pool.open += delta;
  }
  return {
    countOpen: (client) => openByClient.get(client),
    tryOpen: (client) => {
      const open = openByClient.get(client);
      if (pools.some((pool) => open >= calculateShare(max, pool))) return false;
      add(client, 1);
      return true;
    },
    close: (client) => add(client, -1),
  };
}
