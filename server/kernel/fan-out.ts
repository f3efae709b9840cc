/**
 * Sends one event to a room of this process, encoded once and written to each connection directly. The queues of
 * Socket.IO and Engine.IO would double the cost of a delivery.
 */
import { Socket as NetSocket } from 'node:net';
import type { Socket, Server as SocketServer } from 'socket.io';

export interface Withheld {
  wasSent(): boolean;
  release(): void;
}
export interface FanOut {
  /**
   * `payload` is plain JSON. A volatile event is dropped for connections that are not ready. `isFor` filters the
   * sockets.
   */
  send(room: string, name: string, payload: unknown, isVolatile?: boolean, isFor?: (socket: Socket) => boolean): void;
  withhold(id: string, name: string): Withheld;
}

type Engine = Socket['client']['conn'];
type Web = {
  readonly readyState: number;
  readonly bufferedAmount: number;
  readonly _socket: NetSocket;
  terminate(): void;
};
type Line = {
  readonly socket: Socket;
  readonly engine: Engine;
  transport: Engine['transport'] | undefined;
  web: Web | undefined;
  tcp: NetSocket | undefined;
  withheld: { readonly name: string; wasSent: boolean } | undefined;
};

const OPEN = 1;
const SHORT = 125;
const LONG = 65_535;

/** Frame of RFC 6455 (5.2), Engine.IO protocol 4, Socket.IO protocol 5. */
function frameOf(name: string, payload: unknown): Buffer {
  const text = `42${JSON.stringify([name, payload])}`;
  const length = Buffer.byteLength(text);
  const head = length <= SHORT ? 2 : length <= LONG ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = 0x81;
  frame[1] = length <= SHORT ? length : length <= LONG ? 126 : 127;
  if (head === 4) frame.writeUInt16BE(length, 2);
  if (head === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.write(text, head);
  return frame;
}

function isWeb(value: unknown): value is Web {
  if (typeof value !== 'object' || value === null || !('readyState' in value) || !('_socket' in value)) return false;
  if (!('bufferedAmount' in value) || !('terminate' in value)) return false;
  return typeof value.readyState === 'number' && value._socket instanceof NetSocket;
}

export function webOf(transport: Engine['transport']): Web | undefined {
  const web = 'socket' in transport ? transport.socket : undefined;
  return isWeb(web) ? web : undefined;
}

function look(line: Line): void {
  const { transport } = line.engine;
  line.transport = transport;
  line.web = webOf(transport);
  line.tcp = line.web?._socket;
}

/** Writes only when the queues are empty, so that the order is preserved. Returns whether it wrote. */
function write(line: Line, frame: Buffer): boolean {
  const { engine } = line;
  if (engine.transport !== line.transport) look(line);
  const { transport, web, tcp } = line;
  if (!transport?.writable || web?.readyState !== OPEN || engine.readyState !== 'open') return false;
  if (!tcp || tcp.writableLength > 0) return false;
  tcp.write(frame);
  return true;
}

/** The adapter of `io` must be set already. Frames are uncompressed, so `io` must not enable compression. */
export function createFanOut(io: SocketServer): FanOut {
  const namespace = io.of('/');
  const rooms = new Map<string, Map<string, Line>>();
  namespace.adapter.on('join-room', (room: string, id: string) => {
    const socket = namespace.sockets.get(id);
    if (!socket) return;
    const engine = socket.client.conn;
    const line: Line = rooms.get(id)?.get(id) ?? {
      socket,
      engine,
      transport: undefined,
      web: undefined,
      tcp: undefined,
      withheld: undefined,
    };
    const lines = rooms.get(room) ?? new Map<string, Line>();
    rooms.set(room, lines.set(id, line));
  });
  namespace.adapter.on('leave-room', (room: string, id: string) => {
    const lines = rooms.get(room);
    if (lines?.delete(id) && lines.size === 0) rooms.delete(room);
  });
  return {
    send: (room, name, payload, isVolatile = false, isFor = undefined) => {
      const lines = rooms.get(room);
      if (!lines) return;
      const frame = frameOf(name, payload);
      for (const line of lines.values()) {
        if (isFor && !isFor(line.socket)) continue;
        if (line.withheld?.name === name) line.withheld.wasSent = true;
        else if (!write(line, frame)) (isVolatile ? line.socket.volatile : line.socket).emit(name, payload);
      }
    },
    withhold: (id, name) => {
      const line = rooms.get(id)?.get(id);
      const withheld = { name, wasSent: false };
      if (line) line.withheld = withheld;
      return {
        wasSent: () => {
          const { wasSent } = withheld;
          withheld.wasSent = false;
          return wasSent;
        },
        release: () => {
          if (line?.withheld === withheld) line.withheld = undefined;
        },
      };
    },
  };
}
