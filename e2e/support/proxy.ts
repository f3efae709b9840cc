/**
 * A proxy between a browser and the product. It can change a file, to simulate a new release for a browser that has the
 * old one, and it can cut all connections.
 */
import { createServer, request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

export type TestProxy = {
  readonly url: string;
  alterFile(path: string, change: (text: string) => string): void;
  /** Closes the open sockets, as a restart of the server does. */
  closeSockets(): void;
  /** Ends all requests in the middle. Nothing of their bodies reaches the server any more. */
  cutRequests(): void;
  close(): Promise<void>;
};

export async function startProxy(): Promise<TestProxy> {
  const changes = new Map<string, (text: string) => string>();
  const server = createServer((incoming, reply) => {
    const { hostname, port, pathname, search } = new URL(incoming.url ?? '');
    const change = changes.get(pathname);
    // A changed file is requested unconditionally because a 304 response would have no body to change.
    const { 'if-none-match': _none, 'if-modified-since': _since, ...otherHeaders } = incoming.headers;
    const headers = change ? { ...otherHeaders, 'accept-encoding': 'identity' } : incoming.headers;
    const { method } = incoming;
    const upstream = sendRequest({ hostname, port, path: pathname + search, method, headers }, (response) => {
      if (!change) {
        reply.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(reply);
        return;
      }
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const { 'content-length': _, ...rest } = response.headers;
        reply.writeHead(response.statusCode ?? 502, rest);
        reply.end(change(Buffer.concat(parts).toString()));
      });
    });
    upstream.on('error', () => reply.destroy());
    incoming.on('close', () => {
      if (!incoming.complete) upstream.destroy();
    });
    incoming.pipe(upstream);
  });
  const sockets = new Set<Duplex>();
  server.on('connect', ({ url = '' }, socket) => {
    const [host = '', port] = url.split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      upstream.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the proxy has no address');
  const closeSockets = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    alterFile: (path, change) => void changes.set(path, change),
    closeSockets,
    cutRequests: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        closeSockets();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
