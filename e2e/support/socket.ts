import type { Page } from '@playwright/test';

/** Resolves once the next loaded page has its Socket.IO connection. Call it before the navigation. */
export function waitForSocket(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        // Packet 40 of the protocol: the server has accepted the connection.
        if (String(payload).startsWith('40')) resolve();
      }),
    );
  });
}
