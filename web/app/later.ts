/**
 * Starts the background services of logged-in pages when the browser is idle: the socket, site status updates, then
 * device services.
 */
import type { HouseSaid } from '@stagedoor/contract/page-frame.ts';
import type { QueryClient } from '@tanstack/react-query';
import { followHouse } from '../kernel/follow-house.ts';
import { whenIdle } from '../kernel/idle.ts';
import { whenReachable } from '../kernel/lazy-part.ts';
import { type Connection, connect as open } from '../kernel/socket.ts';

export { Later } from './later-parts.tsx';

export function connect(client: QueryClient, house: HouseSaid | undefined): Connection {
  const connection = open(client);
  const stopHouse = followHouse(house);
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
      stopHouse();
      connection.close();
    },
  };
}
