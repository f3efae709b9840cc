import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { connect } from './socket.ts';

const openSocket = vi.hoisted(() => vi.fn());
vi.mock('socket.io-client', () => ({ io: openSocket }));

function openConnection() {
  const noop = () => undefined;
  const connectListeners: (() => void)[] = [];
  const socket = {
    on: (name: string, listener: () => void) => name === 'connect' && connectListeners.push(listener),
    onAny: noop,
    offAny: noop,
    emit: noop,
    connect: noop,
    disconnect: noop,
    auth: {},
  };
  openSocket.mockReturnValue(socket);
  vi.stubGlobal('addEventListener', noop);
  vi.stubGlobal('removeEventListener', noop);
  vi.stubGlobal('document', { addEventListener: noop, removeEventListener: noop });
  const { close } = connect(new QueryClient());
  const stop = () => {
    close();
    vi.unstubAllGlobals();
  };
  return { socket, stop, handleConnect: () => connectListeners.forEach((listener) => void listener()) };
}

test('the socket sends credentials, reconnects after 1 s to 5 s, and times out after 20 s (row E12)', () => {
  openConnection().stop();
  expect(openSocket).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      withCredentials: true,
      reconnectionDelay: 1_000,
      reconnectionDelayMax: 5_000,
      timeout: 20_000,
    }),
  );
});

test('every reconnect counts as having missed events, because it may be that of another session', () => {
  const { socket, stop, handleConnect } = openConnection();
  expect(socket.auth).toEqual({});
  handleConnect();
  expect(socket.auth).toEqual({ readAt: 0 });
  stop();
});
