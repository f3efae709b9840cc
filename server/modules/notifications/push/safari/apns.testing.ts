/** A stand-in for Apple's push service (HTTP/2 with client certificates) and its certificates, made by openssl. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http2, { type IncomingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import * as z from 'zod/mini';

const run = promisify(execFile);
export const PUSH_ID = 'web.example.stagedoor';

export type Certificates = {
  readonly dir: string;
  readonly file: (name: string) => string;
  remove(): Promise<void>;
};

/**
 * `root`, `middle` signed by it, `push` (for {@link PUSH_ID}) signed by that, `other` signed by none of them, and
 * `server` for 127.0.0.1, each as `.pem` and `.key`.
 */
export async function createCertificates(): Promise<Certificates> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-apple-'));
  const file = (name: string) => path.join(dir, name);
  const make = async (name: string, subject: string, issuer: string | undefined, extension: string) => {
    await writeFile(file('extensions'), extension);
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', file(`${name}.key`)];
    await run('openssl', ['req', '-new', ...key, '-subj', subject, '-out', file(`${name}.csr`)]);
    const by = issuer
      ? ['-CA', file(`${issuer}.pem`), '-CAkey', file(`${issuer}.key`), '-CAcreateserial']
      : ['-signkey', file(`${name}.key`)];
    const out = ['-days', '30', '-extfile', file('extensions'), '-out', file(`${name}.pem`)];
    await run('openssl', ['x509', '-req', '-in', file(`${name}.csr`), ...by, ...out]);
  };
  const authority = 'basicConstraints=critical,CA:TRUE\n';
  await make('root', '/CN=Apple Root', undefined, authority);
  await make('middle', '/CN=Apple Worldwide Developer Relations', 'root', authority);
  const owned = `/UID=${PUSH_ID}/CN=Website Push ID: ${PUSH_ID}`;
  await make('push', owned, 'middle', 'keyUsage=digitalSignature\nextendedKeyUsage=clientAuth\n');
  await make('other', owned, undefined, 'keyUsage=digitalSignature\n');
  await make('server', '/CN=api.push.apple.com', 'root', 'subjectAltName=IP:127.0.0.1\n');
  const chain = await Promise.all(['push', 'middle'].map((name) => readFile(file(`${name}.pem`), 'utf8')));
  await writeFile(file('chain.pem'), chain.join('\n'));
  return { dir, file, remove: () => rm(dir, { recursive: true, force: true }) };
}

const pushPayload = z.object({
  aps: z.object({
    alert: z.object({ title: z.string(), body: z.string(), action: z.string() }),
    'url-args': z.array(z.string()).check(z.length(1)),
  }),
});
export type ReceivedPush = { device: string; headers: IncomingHttpHeaders; payload: z.infer<typeof pushPayload> };
type FakeResponse = { status: number; reason?: string } | 'hang' | 'leave';

export type FakeApns = {
  readonly url: string;
  readonly received: ReceivedPush[];
  readonly faults: string[];
  connections(): number;
  answer(device: string, ...answers: FakeResponse[]): void;
  close(): Promise<void>;
};

/** In Unix seconds, as Apple counts. Milliseconds or a duration would be a very different number. */
const MIN_EXPIRY = 1_700_000_000;
const DEVICE = /^\/3\/device\/([0-9a-f]{64,200})$/;

function findRequestError(headers: IncomingHttpHeaders): string | undefined {
  if (headers[':method'] !== 'POST' || !DEVICE.test(String(headers[':path']))) return 'BadPath';
  if (headers['apns-topic'] !== PUSH_ID) return 'BadTopic';
  const expiry = Number(headers['apns-expiration']);
  if (!Number.isInteger(expiry) || expiry < MIN_EXPIRY || expiry > 10 * MIN_EXPIRY) return 'BadExpirationDate';
  if (!['5', '10'].includes(String(headers['apns-priority']))) return 'BadPriority';
  return Buffer.byteLength(String(headers['apns-collapse-id'])) > 64 ? 'BadCollapseId' : undefined;
}

export async function startFakeApns({ file }: Certificates): Promise<FakeApns> {
  const list: ReceivedPush[] = [];
  const faults: string[] = [];
  const answers = new Map<string, FakeResponse[]>();
  let connections = 0;
  const [ca, cert, key] = await Promise.all(
    ['root.pem', 'server.pem', 'server.key'].map((name) => readFile(file(name))),
  );
  const server = http2.createSecureServer({ ca, cert, key, requestCert: true, rejectUnauthorized: true });
  server.on('sessionError', () => undefined);
  server.on('session', (session) => {
    connections += 1;
    const { socket } = session;
    const subject = socket instanceof TLSSocket ? socket.getPeerCertificate().subject : undefined;
    if (subject?.CN !== `Website Push ID: ${PUSH_ID}`) faults.push('BadCertificate');
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    let body = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      body += chunk;
    });
    stream.on('end', () => {
      if (body === '') return;
      const device = DEVICE.exec(String(headers[':path']))?.[1] ?? '';
      const answer = answers.get(device)?.shift() ?? { status: 200 };
      if (answer === 'hang') return;
      if (answer === 'leave') return void stream.session?.destroy();
      const fault = findRequestError(headers);
      if (fault) faults.push(fault);
      else if (answer.status === 200) list.push({ device, headers, payload: z.parse(pushPayload, JSON.parse(body)) });
      stream.respond({ ':status': fault ? 400 : answer.status, 'apns-id': 'one' });
      const reason = fault ?? answer.reason;
      stream.end(reason === undefined ? '' : JSON.stringify({ reason }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('Apple has no address');
  return {
    url: `https://127.0.0.1:${address.port}`,
    received: list,
    faults,
    connections: () => connections,
    answer: (device, ...more) => void answers.set(device, more),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
