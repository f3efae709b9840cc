import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { connect } from './socket.ts';

const opened = vi.hoisted(() => vi.fn());
vi.mock('socket.io-client', () => ({ io: opened }));

test('the socket sends credentials, reconnects after 1 s to 5 s, and times out after 20 s (row E12)', () => {
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
