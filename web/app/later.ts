/** What comes when a page is alive and idle, for whoever is logged in: the socket, and then what Stagedoor is on their device. */
import type { QueryClient } from '@tanstack/react-query';
import { whenIdle } from '../kernel/idle.ts';
import { whenReachable } from '../kernel/lazy-part.ts';
import { type Connection, connect as open } from '../kernel/socket.ts';

export function connect(client: QueryClient): Connection {
  const connection = open(client);
  let isGone = false;
  let stop = (): void => undefined;
  const begin = async () => {
    const { beginBeside } = await whenReachable(() => import('./beside.ts'));
    if (isGone) return;
    stop = await beginBeside(client);
    if (isGone) stop();
  };
  const cancel = whenIdle(() => void begin().catch(() => undefined));
  return {
    ...connection,
    close: () => {
      isGone = true;
      cancel();
      stop();
      connection.close();
    },
  };
}
