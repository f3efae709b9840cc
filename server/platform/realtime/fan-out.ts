/**
 * Sends one event to a room of this process, encoded once and written to each connection directly. The queues of
 * Socket.IO and Engine.IO would double the cost of a delivery.
 */
import { Socket as NetSocket } from 'node:net';
import type { Socket, Server as SocketServer } from 'socket.io';

export interface EventSuppression {
  wasSuppressed(): boolean;
  release(): void;
}
export interface FanOut {
  /**
   * `payload` is plain JSON. A volatile event is dropped for connections that are not ready. `shouldReceive` filters the
   * sockets.
   */
  send(
    room: string,
    name: string,
    payload: unknown,
    isVolatile?: boolean,
    shouldReceive?: (socket: Socket) => boolean,
  ): void;
  suppressEvent(id: string, name: string): EventSuppression;
}

type EngineConnection = Socket['client']['conn'];
type WebSocketLike = {
  readonly readyState: number;
  readonly bufferedAmount: number;
  readonly _socket: NetSocket;
  terminate(): void;
};
type Subscriber = {
  readonly socket: Socket;
  readonly engine: EngineConnection;
  transport: EngineConnection['transport'] | undefined;
  webSocket: WebSocketLike | undefined;
  tcp: NetSocket | undefined;
  suppression: { readonly name: string; wasSuppressed: boolean } | undefined;
};

const OPEN = 1;
const MAX_SHORT_LENGTH = 125;
const MAX_MEDIUM_LENGTH = 65_535;

/** Frame of RFC 6455 (5.2), Engine.IO protocol 4, Socket.IO protocol 5. */
function toFrame(name: string, payload: unknown): Buffer {
  const text = `42${JSON.stringify([name, payload])}`;
  const length = Buffer.byteLength(text);
  const head = length <= MAX_SHORT_LENGTH ? 2 : length <= MAX_MEDIUM_LENGTH ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = 0x81;
  frame[1] = length <= MAX_SHORT_LENGTH ? length : length <= MAX_MEDIUM_LENGTH ? 126 : 127;
  if (head === 4) frame.writeUInt16BE(length, 2);
  if (head === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.write(text, head);
  return frame;
}

function isWebSocket(value: unknown): value is WebSocketLike {
  if (typeof value !== 'object' || value === null || !('readyState' in value) || !('_socket' in value)) return false;
  if (!('bufferedAmount' in value) || !('terminate' in value)) return false;
  return typeof value.readyState === 'number' && value._socket instanceof NetSocket;
}

export function findWebSocket(transport: EngineConnection['transport']): WebSocketLike | undefined {
  const webSocket = 'socket' in transport ? transport.socket : undefined;
  return isWebSocket(webSocket) ? webSocket : undefined;
}

function refreshTransport(subscriber: Subscriber): void {
  const { transport } = subscriber.engine;
  subscriber.transport = transport;
  subscriber.webSocket = findWebSocket(transport);
  subscriber.tcp = subscriber.webSocket?._socket;
}

/** Writes only when the queues are empty, so that the order is preserved. Returns whether it wrote. */
function write(subscriber: Subscriber, frame: Buffer): boolean {
  const { engine } = subscriber;
  if (engine.transport !== subscriber.transport) refreshTransport(subscriber);
  const { transport, webSocket, tcp } = subscriber;
  if (!transport?.writable || webSocket?.readyState !== OPEN || engine.readyState !== 'open') return false;
  if (!tcp || tcp.writableLength > 0) return false;
  tcp.write(frame);
  return true;
}

/** The adapter of `io` must be set already. Frames are uncompressed, so `io` must not enable compression. */
export function createFanOut(io: SocketServer): FanOut {
  const namespace = io.of('/');
  const rooms = new Map<string, Map<string, Subscriber>>();
  namespace.adapter.on('join-room', (room: string, id: string) => {
    const socket = namespace.sockets.get(id);
    if (!socket) return;
    const engine = socket.client.conn;
    const subscriber: Subscriber = rooms.get(id)?.get(id) ?? {
      socket,
      engine,
      transport: undefined,
      webSocket: undefined,
      tcp: undefined,
      suppression: undefined,
    };
    const subscribers = rooms.get(room) ?? new Map<string, Subscriber>();
    rooms.set(room, subscribers.set(id, subscriber));
  });
  namespace.adapter.on('leave-room', (room: string, id: string) => {
    const subscribers = rooms.get(room);
    if (subscribers?.delete(id) && subscribers.size === 0) rooms.delete(room);
  });
  return {
    send: (room, name, payload, isVolatile = false, shouldReceive = undefined) => {
      const subscribers = rooms.get(room);
      if (!subscribers) return;
      const frame = toFrame(name, payload);
      for (const subscriber of subscribers.values()) {
        if (shouldReceive && !shouldReceive(subscriber.socket)) continue;
        if (subscriber.suppression?.name === name) subscriber.suppression.wasSuppressed = true;
        else if (!write(subscriber, frame))
          (isVolatile ? subscriber.socket.volatile : subscriber.socket).emit(name, payload);
      }
    },
    suppressEvent: (id, name) => {
      const subscriber = rooms.get(id)?.get(id);
      const suppression = { name, wasSuppressed: false };
      if (subscriber) subscriber.suppression = suppression;
      return {
        wasSuppressed: () => {
          const { wasSuppressed } = suppression;
          suppression.wasSuppressed = false;
          return wasSuppressed;
        },
        release: () => {
          if (subscriber?.suppression === suppression) subscriber.suppression = undefined;
        },
      };
    },
  };
}
