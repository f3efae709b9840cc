/** A minimal TURN client (RFC 8489, RFC 8656): one allocation over UDP with long-term credentials. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Socket } from 'node:dgram';
import { once } from 'node:events';

const MAGIC = 0x2112a442;
const [ALLOCATE, USERNAME, INTEGRITY, REALM, NONCE, TRANSPORT] = [0x0003, 0x0006, 0x0008, 0x0014, 0x0015, 0x0019];
const UDP = Buffer.from([17, 0, 0, 0]);

function buildAttribute(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

function buildMessage(attributes: readonly Buffer[], extra: number): Buffer {
  const body = Buffer.concat(attributes);
  const head = Buffer.alloc(8);
  head.writeUInt16BE(ALLOCATE, 0);
  head.writeUInt16BE(body.length + extra, 2);
  head.writeUInt32BE(MAGIC, 4);
  return Buffer.concat([head, randomBytes(12), body]);
}

async function sendRequest(socket: Socket, port: number, request: Buffer): Promise<Buffer> {
  const received = once(socket, 'message', { signal: AbortSignal.timeout(5_000) });
  socket.send(request, port, '127.0.0.1');
  const [answer] = await received;
  return answer;
}

function readAttribute(response: Buffer, attributeType: number): Buffer {
  for (let at = 20; at + 4 <= response.length; ) {
    const [type, length] = [response.readUInt16BE(at), response.readUInt16BE(at + 2)];
    if (type === attributeType) return response.subarray(at + 4, at + 4 + length);
    at += 4 + length + ((4 - (length % 4)) % 4);
  }
  throw new Error(`the relay named no ${attributeType}`);
}

export async function allocateRelay(
  socket: Socket,
  port: number,
  { username, credential }: { username: string; credential: string },
): Promise<void> {
  const refused = await sendRequest(socket, port, buildMessage([buildAttribute(TRANSPORT, UDP)], 0));
  const [realm, nonce] = [readAttribute(refused, REALM), readAttribute(refused, NONCE)];
  const key = createHash('md5').update(`${username}:${realm}:${credential}`).digest();
  const parts = [
    buildAttribute(TRANSPORT, UDP),
    buildAttribute(USERNAME, Buffer.from(username)),
    buildAttribute(REALM, realm),
    buildAttribute(NONCE, nonce),
  ];
  const request = buildMessage(parts, 24);
  const mac = createHmac('sha1', key).update(request).digest();
  const response = await sendRequest(socket, port, Buffer.concat([request, buildAttribute(INTEGRITY, mac)]));
  if (response.readUInt16BE(0) !== 0x0103)
    throw new Error(`the relay answered ${response.readUInt16BE(0).toString(16)}`);
}
