/** A stand-in for a push service (RFC 8030, RFC 8291, RFC 8292). Violations are collected in `faults`. */
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type PushMessage, pushMessage } from '@stagedoor/contract/notifications/push.ts';
import ece from 'http_ece';
import * as z from 'zod/mini';
import { JOBS_BY_RANK } from './jobs.ts';

export const PUSH_JOB_NAMES = Object.values(JOBS_BY_RANK).map(({ name }) => name);

export type DeliveredPush = { device: string; headers: IncomingHttpHeaders; bytes: number; message: PushMessage };
type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };
type FakeResponse = { status: number; headers?: Record<string, string> } | 'hang';

export type PushService = {
  readonly origin: string;
  readonly delivered: DeliveredPush[];
  readonly faults: string[];
  /** The number of requests, including refused ones. */
  countRequests(device: string): number;
  device(name: string): Subscription;
  answer(device: string, ...answers: FakeResponse[]): void;
  /** Closes the connections of all unanswered requests. */
  closeHanging(): void;
  close(): Promise<void>;
};

const claims = z.object({ aud: z.string(), exp: z.number(), sub: z.string().check(z.startsWith('mailto:')) });

function findVapidError(header: string | undefined, origin: string, known: () => string): string | undefined {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=([A-Za-z0-9_-]+)$/.exec(header ?? '') ?? [];
  if (key !== known()) return 'another key';
  const [head = '', body = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${head}.${body}`);
  const isSigned = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) return 'not signed';
  const { aud, exp } = z.parse(claims, JSON.parse(Buffer.from(body, 'base64url').toString()));
  const leftSeconds = exp - Date.now() / 1000;
  if (aud !== origin) return 'for another service';
  return leftSeconds <= 0 || leftSeconds > 24 * 60 * 60 ? 'for too long' : undefined;
}

function findHeaderError({
  ttl,
  urgency,
  topic,
  'content-encoding': encoding,
}: IncomingHttpHeaders): string | undefined {
  if (!/^\d+$/.test(ttl === undefined ? '' : String(ttl))) return 'no TTL';
  if (!['very-low', 'low', 'normal', 'high'].includes(String(urgency))) return 'no urgency';
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(String(topic))) return 'no topic';
  return encoding === 'aes128gcm' ? undefined : 'another encoding';
}

export async function startPushService(key: () => string, port = 0): Promise<PushService> {
  const devices = new Map<string, { ecdh: ReturnType<typeof createECDH>; auth: string }>();
  const answers = new Map<string, FakeResponse[]>();
  const requestCounts = new Map<string, number>();
  const delivered: DeliveredPush[] = [];
  const faults: string[] = [];
  const hanging = new Set<IncomingMessage>();
  let origin = '';
  const server = createServer(async (request, reply) => {
    const name = request.url?.slice('/push/'.length) ?? '';
    const body = await buffer(request);
    requestCounts.set(name, (requestCounts.get(name) ?? 0) + 1);
    const device = devices.get(name);
    const answer = answers.get(name)?.shift() ?? { status: 201 };
    if (answer === 'hang') return void hanging.add(request);
    if (answer.status >= 300) return void reply.writeHead(answer.status, answer.headers).end();
    const fault = findVapidError(request.headers.authorization, origin, key) ?? findHeaderError(request.headers);
    if (!device || fault) {
      faults.push(fault ?? `unknown device ${name}`);
      return void reply.writeHead(400).end();
    }
    const opened = ece.decrypt(body, { version: 'aes128gcm', privateKey: device.ecdh, authSecret: device.auth });
    const message = z.parse(pushMessage, JSON.parse(opened.toString()));
    delivered.push({ device: name, headers: request.headers, bytes: body.length, message });
    reply.writeHead(201, { location: `${origin}/message` }).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the push service has no address');
  origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    delivered,
    faults,
    countRequests: (name) => requestCounts.get(name) ?? 0,
    device: (name) => {
      const ecdh = createECDH('prime256v1');
      const auth = randomBytes(16).toString('base64url');
      devices.set(name, { ecdh, auth });
      return { endpoint: `${origin}/push/${name}`, keys: { p256dh: ecdh.generateKeys('base64url'), auth } };
    },
    answer: (name, ...more) => void answers.set(name, more),
    closeHanging: () => {
      for (const { socket } of hanging) socket.destroy();
      hanging.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
