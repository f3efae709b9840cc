/**
 * Starts the background services of logged-in pages when the browser is idle: the socket, site status updates, then
 * device services.
 */
import type { PageSiteStatus } from '@stagedoor/contract/shared/page-frame.ts';
import type { QueryClient } from '@tanstack/react-query';
import { runWhenIdle } from '../platform/idle.ts';
import { loadWhenReachable } from '../platform/lazy-part.ts';
import { type Connection, connect as openSocket } from '../platform/socket.ts';
import { watchSiteStatus } from '../platform/watch-site-status.ts';

export { IdleParts } from './idle-parts.tsx';

export function startIdleServices(client: QueryClient, siteStatus: PageSiteStatus | undefined): Connection {
  const connection = openSocket(client);
  const stopSiteStatus = watchSiteStatus(siteStatus);
  let isStopped = false;
  let stop = (): void => undefined;
  const start = async () => {
    const { startDeviceServices } = await loadWhenReachable(() => import('./device-services.ts'));
    if (isStopped) return;
    stop = await startDeviceServices(client);
    if (isStopped) stop();
  };
  const cancel = runWhenIdle(() => void start().catch(() => undefined));
  return {
    ...connection,
    close: () => {
      isStopped = true;
      cancel();
      stop();
      stopSiteStatus();
      connection.close();
    },
  };
}
