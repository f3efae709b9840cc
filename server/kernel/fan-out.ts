/**
 * One event to everybody in a room of this process: encoded and framed once, and written to each connection as it is. The
 * queues of Socket.IO and Engine.IO would cost each delivery as much again as writing it.
 */
import { Socket as NetSocket } from 'node:net';
import type { Socket, Server as SocketServer } from 'socket.io';

/** One event that a connection is not sent for a while. */
export interface Withheld {
  /** Whether there was one since this was last asked. */
  wasSent(): boolean;
  release(): void;
}
export interface FanOut {
  /** `payload` is plain JSON. What is volatile is lost where a connection is not ready for it. With `isFor`, to those of whom it says so. */
  send(room: string, name: string, payload: unknown, isVolatile?: boolean, isFor?: (socket: Socket) => boolean): void;
  /** Keeps the events of one name from a socket, by its id, until they are released. */
  withhold(id: string, name: string): Withheld;
}

type Engine = Socket['client']['conn'];
/** What a transport by WebSocket writes to. */
type Web = {
  readonly readyState: number;
  readonly bufferedAmount: number;
  readonly _socket: NetSocket;
  terminate(): void;
};
type Line = {
  readonly socket: Socket;
  readonly engine: Engine;
  /** The transport that `web` and `tcp` belong to; it changes once when who polled goes on by WebSocket. */
  transport: Engine['transport'] | undefined;
  web: Web | undefined;
  tcp: NetSocket | undefined;
  withheld: { readonly name: string; wasSent: boolean } | undefined;
};

const OPEN = 1;
const SHORT = 125;
const LONG = 65_535;

/** A server's text frame (RFC 6455, 5.2) around an event of Socket.IO's protocol (5) in Engine.IO's (4). */
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

/** The WebSocket of a connection that is one. */
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

/** Writes past the queues when they are empty, so that nothing overtakes. Answers whether it did. */
function write(line: Line, frame: Buffer): boolean {
  const { engine } = line;
  if (engine.transport !== line.transport) look(line);
  const { transport, web, tcp } = line;
  if (!transport?.writable || web?.readyState !== OPEN || engine.readyState !== 'open') return false;
  if (!tcp || tcp.writableLength > 0) return false;
  tcp.write(frame);
  return true;
}

/** Watches who is in which room of `io`, whose adapter is set by now. Frames are not compressed, so neither may `io` be told to. */
export function createFanOut(io: SocketServer): FanOut {
  const namespace = io.of('/');
  /** By the room's name and the socket's id. Each socket has a room of its own id, which it joins first. */
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
