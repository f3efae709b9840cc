import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import tls from 'node:tls';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { readConfig } from '../../../../platform/config.ts';
import { createId } from '../../../../platform/ids.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { unzip } from '../../../identity/data-export/testing.ts';
import { URGENT_RANK } from '../delivery-policy.ts';
import { schedulePushes } from '../jobs.ts';
import { PUSH_JOB_NAMES } from '../testing.ts';
import { type Certificates, createCertificates, type FakeApns, PUSH_ID, startFakeApns } from './apns.testing.ts';

const run = promisify(execFile);
const HOUR = 60 * 60_000;
const PUBLIC_URL = 'https://stagedoor.example';

let app: TestApp;
let apple: FakeApns;
let certificates: Certificates;
const usual = tls.getCACertificates('default');
beforeAll(async () => {
  certificates = await createCertificates();
  apple = await startFakeApns(certificates);
  tls.setDefaultCACertificates([...usual, await readFile(certificates.file('root.pem'), 'utf8')]);
  app = await createTestApp({ env: environment() });
});
afterAll(async () => {
  await app.close();
  await apple.close();
  await certificates.remove();
  expect(apple.faults).toEqual([]);
});

const environment = () => ({
  PUBLIC_URL,
  SAFARI_PUSH_ID: PUSH_ID,
  SAFARI_PUSH_CERTIFICATE: certificates.file('chain.pem'),
  SAFARI_PUSH_KEY: certificates.file('push.key'),
  APNS_URL: apple.url,
  PUSH_TIMEOUT_MS: '1000',
});
const makeToken = () => randomBytes(32).toString('hex');

const safariPushResponse = z.object({
  websitePushId: z.nullable(z.string()),
  webServiceUrl: z.string(),
  ticket: z.string(),
});
const getSafariPush = async (user: TestUser) =>
  safariPushResponse.parse((await user.inject('GET', '/api/web-notify/safari')).json());
async function downloadPackage(user: TestUser, version: '' | 'v1/' | 'v2/' = 'v2/'): Promise<Record<string, Buffer>> {
  const { webServiceUrl, ticket } = await getSafariPush(user);
  const url = `${webServiceUrl.replace(PUBLIC_URL, '')}/${version}pushPackages/${PUSH_ID}`;
  const answer = await app.inject('POST', url, { ticket });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip']);
  return Object.fromEntries(unzip(answer.rawPayload));
}
const website = z.object({
  websiteName: z.string(),
  websitePushID: z.string(),
  allowedDomains: z.array(z.string()),
  urlFormatString: z.string(),
  authenticationToken: z.string(),
  webServiceURL: z.string(),
});
const part = (files: Record<string, Buffer>, name: string): Buffer => {
  const bytes = files[name];
  if (!bytes) throw new Error(`there is no ${name}`);
  return bytes;
};
const parseWebsite = (files: Record<string, Buffer>) =>
  website.parse(JSON.parse(part(files, 'website.json').toString()));
const registration = (device: string, id = PUSH_ID) => `/api/web-notify/v2/devices/${device}/registrations/${id}`;
const bearer = (token: string) => ({ authorization: `ApplePushNotifications ${token}` });

async function emitSecurityEvent(user: TestUser): Promise<void> {
  const payload = JSON.stringify({ userId: user.id, change: 'passwordChanged', device: '' });
  await app.owner.query
    .insertInto('outbox')
    .values({ type: 'account.secured', payload, event_id: createId(app.clock) })
    .execute();
  await app.ctx.events.waitUntilIdle();
  await app.ctx.jobs.runDue(PUSH_JOB_NAMES);
}
const listReceived = (device: string) => apple.received.filter((one) => one.device === device);
async function addDevice(user: TestUser): Promise<string> {
  const device = makeToken();
  const answer = await user.inject('POST', '/api/web-notify/subscribe', { deviceToken: device });
  expect(answer.json()).toEqual({ success: true });
  return device;
}
const isStored = async (user: TestUser, deviceToken: string) =>
  (await user.inject('POST', '/api/web-notify/unsubscribe', { deviceToken })).json().success;

test('openssl verifies the signature of the package, and every file matches its manifest', async () => {
  const fan = await app.signUp('customer');
  for (const version of ['', 'v1/', 'v2/'] as const) {
    const files = await downloadPackage(fan, version);
    const manifest: unknown = JSON.parse(part(files, 'manifest.json').toString());
    const { signature, 'manifest.json': signed, ...others } = files;
    const hash = (type: string, bytes: Buffer) => createHash(type).update(bytes).digest('hex');
    const expected = Object.entries(others).map(([name, bytes]) => [
      name,
      version === 'v1/' ? hash('sha1', bytes) : { hashType: 'sha512', hashValue: hash('sha512', bytes) },
    ]);
    expect(manifest).toEqual(Object.fromEntries(expected));
    await writeFile(certificates.file('manifest.json'), part(files, 'manifest.json'));
    await writeFile(certificates.file('signature'), part(files, 'signature'));
    const verify = (content: string, authority: string) =>
      run('openssl', [
        ...['smime', '-verify', '-binary', '-inform', 'DER', '-in', certificates.file('signature')],
        ...['-content', content, '-CAfile', certificates.file(authority), '-purpose', 'any'],
        ...['-signer', certificates.file('signer.pem'), '-out', certificates.file('verified')],
      ]);
    await verify(certificates.file('manifest.json'), 'root.pem');
    const { stdout } = await run('openssl', ['x509', '-in', certificates.file('signer.pem'), '-noout', '-subject']);
    expect(stdout).toContain(PUSH_ID);
    if (version !== 'v2/') continue;
    await writeFile(certificates.file('other.json'), `${JSON.stringify(manifest)} `);
    await expect(verify(certificates.file('other.json'), 'root.pem')).rejects.toThrow();
    await expect(verify(certificates.file('manifest.json'), 'other.pem')).rejects.toThrow();
  }
  const files = await downloadPackage(fan);
  expect(parseWebsite(files)).toMatchObject({
    websiteName: 'Stagedoor',
    websitePushID: PUSH_ID,
    allowedDomains: [PUBLIC_URL],
    urlFormatString: `${PUBLIC_URL}/%@`,
    webServiceURL: `${PUBLIC_URL}/api/web-notify`,
  });
  expect(parseWebsite(files).authenticationToken.length).toBeGreaterThanOrEqual(16);
  const icons = Object.keys(files).filter((name) => name.startsWith('icon.iconset/'));
  const sizes = await Promise.all(
    icons.sort().map(async (name) => [name, (await sharp(files[name]).metadata()).width]),
  );
  expect(sizes.map(([name, width]) => `${String(name).slice('icon.iconset/icon_'.length, -4)} ${width}`)).toEqual([
    '128x128 128',
    '128x128@2x 256',
    '16x16 16',
    '16x16@2x 32',
    '32x32 32',
    '32x32@2x 64',
  ]);
});

test('Safari registers only with the token of its package and only while that session lasts', async () => {
  const [fan, other] = await Promise.all([app.signUp('customer'), app.signUp('customer')]);
  const token = parseWebsite(await downloadPackage(fan)).authenticationToken;
  const device = makeToken();
  const { ticket } = await getSafariPush(fan);
  for (const wrong of [
    '',
    ticket,
    `A${token}`,
    'x'.repeat(40),
    parseWebsite(await downloadPackage(other)).authenticationToken.slice(1),
  ])
    expect((await app.inject('POST', registration(device), undefined, bearer(wrong))).statusCode, wrong).toBe(401);
  expect((await app.inject('POST', registration(device, 'web.other'), undefined, bearer(token))).statusCode).toBe(404);
  const register = (to: string) => app.inject('POST', registration(to), undefined, bearer(token));
  for (const bad of ['g'.repeat(64), 'a'.repeat(63), '..%2Fadmin'])
    expect((await register(bad)).json().success).toBe(false);
  expect((await register(device)).json()).toEqual({ success: true });
  await emitSecurityEvent(fan);
  const [first] = listReceived(device);
  expect(first?.payload).toEqual({
    aps: {
      alert: { title: 'Stagedoor', body: 'Something new for you', action: 'View' },
      'url-args': [expect.stringMatching(/^fan\/profile\?alert=[\da-f-]{36}#password$/)],
    },
  });
  expect(first?.headers).toMatchObject({
    'apns-topic': PUSH_ID,
    'apns-priority': '10',
    'apns-collapse-id': expect.stringMatching(/^[\w-]{32}$/),
  });

  const moved = await other.inject('POST', '/api/web-notify/subscribe', { deviceToken: device.toUpperCase() });
  expect(moved.json()).toEqual({ success: true });
  const leave = (by: string) => app.inject('DELETE', registration(device), undefined, bearer(by));
  expect((await leave(token)).json()).toEqual({ success: false });
  await emitSecurityEvent(fan);
  await emitSecurityEvent(other);
  expect(listReceived(device)).toHaveLength(2);
  const otherToken = parseWebsite(await downloadPackage(other)).authenticationToken;
  expect((await leave(otherToken)).json()).toEqual({ success: true });
  await emitSecurityEvent(other);
  expect(listReceived(device)).toHaveLength(2);

  app.clock.advance(16 * 60_000);
  const late = await app.inject('POST', `/api/web-notify/v2/pushPackages/${PUSH_ID}`, { ticket });
  expect(late.statusCode).toBe(401);
  expect((await fan.inject('POST', '/api/auth/logout')).statusCode).toBe(200);
  expect((await register(makeToken())).statusCode).toBe(401);
});

test('a lost token is deleted, a refusal is logged and keeps the device, and a failed push is retried', async () => {
  const fan = await app.signUp('customer');
  const refused = vi.spyOn(app.ctx.log, 'error').mockImplementation(() => undefined);
  const pushWithAnswers = async (
    ...answers: Parameters<FakeApns['answer']> extends [string, ...infer A] ? A : never
  ) => {
    const device = await addDevice(fan);
    apple.answer(device, ...answers);
    await emitSecurityEvent(fan);
    return device;
  };
  for (const refusal of [
    { status: 410, reason: 'Unregistered' },
    { status: 400, reason: 'BadDeviceToken' },
  ])
    expect(await isStored(fan, await pushWithAnswers(refusal)), refusal.reason).toBe(false);
  expect(refused).not.toHaveBeenCalled();
  expect(await isStored(fan, await pushWithAnswers({ status: 403, reason: 'BadCertificate' }))).toBe(true);
  expect(refused).toHaveBeenCalledTimes(1);
  refused.mockRestore();
  const busy = await pushWithAnswers({ status: 503, reason: 'Shutdown' });
  expect(listReceived(busy)).toHaveLength(0);
  app.clock.advance(HOUR / 6);
  await schedulePushes(app.ctx, app.ctx.db, URGENT_RANK);
  await app.ctx.jobs.runDue(PUSH_JOB_NAMES);
  expect(listReceived(busy)).toHaveLength(1);
  const before = apple.connections();
  const dropped = await pushWithAnswers('leave');
  await emitSecurityEvent(fan);
  // The push may have arrived, so it is not repeated. The next one uses a new connection.
  expect([listReceived(dropped).length, apple.connections()]).toEqual([1, before + 1]);
  const silent = await pushWithAnswers('hang');
  app.clock.advance(HOUR / 6);
  await schedulePushes(app.ctx, app.ctx.db, URGENT_RANK);
  await app.ctx.jobs.runDue(PUSH_JOB_NAMES);
  // This one may have arrived, too.
  expect(listReceived(silent)).toHaveLength(0);
});

test('error reports of Safari are logged in shortened form', async () => {
  const warned = vi.spyOn(app.ctx.log, 'warn').mockImplementation(() => undefined);
  const answer = await app.inject('POST', '/api/web-notify/v1/log', { logs: ['x'.repeat(2_000), 'Missing file'] });
  expect(answer.statusCode).toBe(200);
  expect(warned).toHaveBeenCalledWith({ logs: ['x'.repeat(300), 'Missing file'] }, expect.any(String));
  warned.mockRestore();
});

test('without its settings Safari push is off: device tokens are refused and there is no package', async () => {
  const bare = await createTestApp();
  try {
    const fan = await bare.signUp('customer');
    expect((await fan.inject('GET', '/api/web-notify/safari')).json()).toMatchObject({ websitePushId: null });
    const deviceToken = makeToken();
    const answer = await fan.inject('POST', '/api/web-notify/subscribe', { deviceToken });
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: false }]);
    const { ticket } = (await fan.inject('GET', '/api/web-notify/safari')).json();
    expect((await bare.inject('POST', `/api/web-notify/v2/pushPackages/${PUSH_ID}`, { ticket })).statusCode).toBe(404);
  } finally {
    await bare.close();
  }
  const config = (changed: Record<string, string>) =>
    readConfig({ NODE_ENV: 'test', DATA_DIR: certificates.dir, ...environment(), ...changed });
  expect(() => config({ PUBLIC_URL: 'http://stagedoor.example' })).toThrow(/SAFARI_PUSH_ID: .*https/);
  expect(() => config({ SAFARI_PUSH_KEY: '' })).toThrow(/SAFARI_PUSH_ID: requires SAFARI_PUSH_KEY/);
  expect(() => config({ SAFARI_PUSH_CERTIFICATE: '/nowhere' })).toThrow(/SAFARI_PUSH_CERTIFICATE: file not found/);
  expect(config({}).push.safari?.id).toBe(PUSH_ID);
});
