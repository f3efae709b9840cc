/** How the app’s one connection is opened (row E12). */
import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { connect } from './socket.ts';

const opened = vi.hoisted(() => vi.fn());
vi.mock('socket.io-client', () => ({ io: opened }));

test('with credentials, trying again after 1 s to 5 s, and for 20 s at a time', () => {
  const silent = () => undefined;
  opened.mockReturnValue({
    on: silent,
    onAny: silent,
    offAny: silent,
    emit: silent,
    connect: silent,
    disconnect: silent,
  });
  vi.stubGlobal('addEventListener', silent);
  vi.stubGlobal('removeEventListener', silent);
  vi.stubGlobal('document', { addEventListener: silent, removeEventListener: silent });
  const connection = connect(new QueryClient());
  connection.close();
  vi.unstubAllGlobals();
  expect(opened).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      withCredentials: true,
      reconnectionDelay: 1_000,
      reconnectionDelayMax: 5_000,
      timeout: 20_000,
    }),
  );
});
