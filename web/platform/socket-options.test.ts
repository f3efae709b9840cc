import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { connect } from './socket.ts';

const openSocket = vi.hoisted(() => vi.fn());
vi.mock('socket.io-client', () => ({ io: openSocket }));

test('the socket sends credentials, reconnects after 1 s to 5 s, and times out after 20 s (row E12)', () => {
  const noop = () => undefined;
  openSocket.mockReturnValue({
    on: noop,
    onAny: noop,
    offAny: noop,
    emit: noop,
    connect: noop,
    disconnect: noop,
  });
  vi.stubGlobal('addEventListener', noop);
  vi.stubGlobal('removeEventListener', noop);
  vi.stubGlobal('document', { addEventListener: noop, removeEventListener: noop });
  const connection = connect(new QueryClient());
  connection.close();
  vi.unstubAllGlobals();
  expect(openSocket).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      withCredentials: true,
      reconnectionDelay: 1_000,
      reconnectionDelayMax: 5_000,
      timeout: 20_000,
    }),
  );
});
