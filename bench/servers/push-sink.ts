import { createServer } from 'node:http';
import { respondToParent } from './parent-messages.ts';

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(201).end());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  respondToParent(typeof address === 'object' && address ? address.port : 0, async () => undefined);
});
process.once('SIGTERM', () => process.exit(0));
