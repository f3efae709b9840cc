/**
 * A proxy between a browser and the product that can change one file, to simulate a new release for a browser that has
 * the old one.
 */
import { request as ask, createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

export type Passage = {
  readonly url: string;
  alter(path: string, change: (text: string) => string): void;
  /** Closes the open sockets, as a restart of the server does. */
  cut(): void;
  close(): Promise<void>;
};

export async function openPassage(): Promise<Passage> {
  const changes = new Map<string, (text: string) => string>();
  const server = createServer((incoming, reply) => {
    const { hostname, port, pathname, search } = new URL(incoming.url ?? '');
    const change = changes.get(pathname);
    // A changed file is requested unconditionally because a 304 response would have no body to change.
    const { 'if-none-match': _none, 'if-modified-since': _since, ...whole } = incoming.headers;
    const headers = change ? { ...whole, 'accept-encoding': 'identity' } : incoming.headers;
    const { method } = incoming;
    const onward = ask({ hostname, port, path: pathname + search, method, headers }, (answer) => {
      if (!change) {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
        return;
      }
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const { 'content-length': _, ...rest } = answer.headers;
        reply.writeHead(answer.statusCode ?? 502, rest);
        reply.end(change(Buffer.concat(parts).toString()));
      });
    });
    onward.on('error', () => reply.destroy());
    incoming.pipe(onward);
  });
  const sockets = new Set<Duplex>();
  server.on('connect', ({ url = '' }, socket) => {
    const [host = '', port] = url.split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      onward.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the passage has no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    alter: (path, change) => void changes.set(path, change),
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
