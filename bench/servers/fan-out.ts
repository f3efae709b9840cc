/** A Socket.IO server that emits an event to all sockets through the product's fan-out or through Socket.IO itself. */
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { createFanOut } from '../../server/platform/realtime/fan-out.ts';
import { type EmitJob, emitEvenly } from './emits.ts';
import { respondToParent } from './parent-messages.ts';

export type FanOutJob = EmitJob & { isDirect: boolean };

const ROOM = 'public';
const EVENT = 'RECEIVE_MESSAGE';
/** Longer than the bench, so that heartbeats use no CPU meanwhile. */
const PING_MS = 3_600_000;

const http = createServer();
const io = new Server(http, { perMessageDeflate: false, serveClient: false, pingInterval: PING_MS });
const fanOut = createFanOut(io);
io.on('connection', (socket) => void socket.join(ROOM));
http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  respondToParent(typeof address === 'object' && address ? address.port : 0, (question) => {
    const job = question as FanOutJob;
    return emitEvenly(job, () => {
      if (job.isDirect) fanOut.send(ROOM, EVENT, job.payload);
      else io.local.to(ROOM).emit(EVENT, job.payload);
    });
  });
});
process.once('SIGTERM', () => process.exit(0));
