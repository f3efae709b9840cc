/** A fake ClamAV daemon: INSTREAM over TCP (clamd(8)). Finds only EICAR. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** Split so that scanners do not report this file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

export type FakeClamd = {
  readonly url: string;
  readonly scanned: Buffer[];
  /** `disconnecting` closes the connection, `invalid` sends an unknown response. */
  behaviour: 'normal' | 'silent' | 'disconnecting' | 'invalid';
  close(): Promise<void>;
};

const COMMAND = 'zINSTREAM\0';

export async function startClamd({ maxBytes = 25 * 1024 * 1024 } = {}): Promise<FakeClamd> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    let received = Buffer.alloc(0);
    const pieces: Buffer[] = [];
    let bytes = 0;
    const respond = (text: string) => socket.end(`${text}\0`);
    const read = (): void => {
      while (received.length >= 4) {
        const size = received.readUInt32BE(0);
        if (received.length < 4 + size) return;
        pieces.push(received.subarray(4, 4 + size));
        received = received.subarray(4 + size);
        bytes += size;
        if (bytes > maxBytes) return void respond('INSTREAM size limit exceeded. ERROR');
        if (size > 0) continue;
        const whole = Buffer.concat(pieces);
        clamd.scanned.push(whole);
        respond(whole.includes(EICAR) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK');
      }
    };
    let isStreaming = false;
    socket.on('data', (chunk) => {
      if (clamd.behaviour === 'silent') return;
      if (clamd.behaviour === 'disconnecting') return void socket.destroy();
      if (clamd.behaviour === 'invalid') return void respond('UNKNOWN COMMAND');
      received = Buffer.concat([received, chunk]);
      if (!isStreaming && received.length < COMMAND.length) return;
      if (!isStreaming) {
        if (received.subarray(0, COMMAND.length).toString() !== COMMAND) return void respond('UNKNOWN COMMAND');
        received = received.subarray(COMMAND.length);
        isStreaming = true;
      }
      read();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const clamd: FakeClamd = {
    url: `tcp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    scanned: [],
    behaviour: 'normal',
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return clamd;
}
