/** The upper limit for a page: node:http sends prepared bytes, which it receives from the parent. */
import { createServer } from 'node:http';
import { respondToParent } from './parent-messages.ts';

let body: Buffer = Buffer.alloc(0);
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  respondToParent(typeof address === 'object' && address ? address.port : 0, async (bytes) => {
    if (bytes instanceof Uint8Array) body = Buffer.from(bytes);
  });
});
process.once('SIGTERM', () => process.exit(0));
