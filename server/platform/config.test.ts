import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { listConfigWarnings, readConfig } from './config.ts';
import { listConnectSources } from './http/http.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'stagedoor-config-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const production = {
  NODE_ENV: 'production',
  DATA_DIR: dataDir,
  PUBLIC_URL: 'https://stagedoor.example',
  SESSION_SECRET: 'q7RnV2xLk9TzWb4Hs8YfMd3JcPg6Ae5U',
  CCBILL_SALT: 'salt-of-the-account',
  CCBILL_WEBHOOK_SECRET: 'Zt4nKq8vRb2mXw7c',
  LEDGER_LOG_SIGNING_KEY: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  VAPID_PRIVATE_KEY: 'v'.repeat(43),
};

test('development needs no settings and stores the secrets it generates', () => {
  const first = readConfig({ DATA_DIR: dataDir });
  expect(readConfig({ DATA_DIR: dataDir }).sessionSecret).toBe(first.sessionSecret);
  expect(first.payments).toMatchObject({ isSandbox: true, url: 'http://localhost:3000/sandbox/ccbill' });
  expect(statSync(path.join(dataDir, 'secrets', 'session')).mode & 0o077).toBe(0);
});

test('production runs without sandbox, demo and mailbox unless they are enabled explicitly', () => {
  expect(readConfig(production)).toMatchObject({
    shouldSeedDemo: false,
    isDevelopment: false,
    isSecure: true,
    payments: { isSandbox: false, url: 'https://api.ccbill.com' },
  });
  expect(readConfig({ ...production, PAYMENT_SANDBOX: '1' }).payments.isSandbox).toBe(true);
});

test('an empty DATA_DIR means the default folder', () => {
  const cwdSpy = vi.spyOn(process, 'cwd').mockReturnValue(dataDir);
  expect(readConfig({ DATA_DIR: '' }).dataDir).toBe(path.join(dataDir, '.data'));
  cwdSpy.mockRestore();
});

test('content protection is on in production unless it is switched off', () => {
  const isProtected = (env: Record<string, string>) => readConfig({ DATA_DIR: dataDir, ...env }).hasContentProtection;
  expect([isProtected(production), isProtected({})]).toEqual([true, false]);
  expect(isProtected({ ...production, CONTENT_PROTECTION: 'off' })).toBe(false);
  expect(isProtected({ CONTENT_PROTECTION: 'on' })).toBe(true);
});

test('production names all missing, invalid and conflicting settings at once', () => {
  const env = { NODE_ENV: 'production', DATA_DIR: dataDir, PORT: '99999', SESSION_SECRET: 'short' };
  const secrets = ['LEDGER_LOG_SIGNING_KEY', 'VAPID_PRIVATE_KEY', 'CCBILL_SALT', 'CCBILL_WEBHOOK_SECRET'];
  for (const variable of [...secrets, 'PORT', 'SESSION_SECRET']) expect(() => readConfig(env)).toThrow(variable);
  const conflicts = { DATABASE_OWNER_URL: 'postgres://o@db/s', TURN_URLS: 'turn:a.example', SAFARI_PUSH_ID: 'web.a.b' };
  for (const text of [
    'CCBILL_SALT',
    'requires DATABASE_URL',
    'TURN_SECRET',
    'SAFARI_PUSH_CERTIFICATE',
    'SAFARI_PUSH_KEY',
  ])
    expect(() => readConfig({ ...production, ...conflicts, CCBILL_SALT: '' })).toThrow(text);
});

describe('a secret in production', () => {
  const read = (variable: string, value: string) => readConfig({ ...production, [variable]: value });
  test.each([
    ['SESSION_SECRET', `${'a'.repeat(40)}1`],
    ['SESSION_SECRET', 'changeme-changeme-changeme-changeme'],
    ['SESSION_SECRET', '0123456789abcdef0123456789abcdef'],
    ['SESSION_SECRET', 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ'],
    ['LEDGER_LOG_SIGNING_KEY', '0f'.repeat(32)],
    ['CCBILL_WEBHOOK_SECRET', 'webhookwebhook11'],
    ['METRICS_TOKEN', '1111111111111111'],
    ['TURN_SECRET', 'secret'],
  ])('%s=%s is refused because it is easy to guess', (variable, value) => {
    expect(() => read(variable, value)).toThrow(`${variable}: too easy to guess`);
    expect(() => readConfig({ DATA_DIR: dataDir, [variable]: value })).not.toThrow();
  });

  test.each([
    ['SESSION_SECRET', 16],
    ['SESSION_SECRET', 32],
    ['LEDGER_LOG_SIGNING_KEY', 32],
    ['CCBILL_WEBHOOK_SECRET', 16],
    ['METRICS_TOKEN', 12],
  ])('%s is accepted if it consists of %i random bytes in hex', (variable, bytes) => {
    for (let attempt = 0; attempt < 100; attempt += 1)
      expect(() => read(variable, randomBytes(bytes).toString('hex'))).not.toThrow();
  });
});

test.each(['SESSION_SECRET', 'CCBILL_SALT', 'CCBILL_WEBHOOK_SECRET', 'LEDGER_LOG_SIGNING_KEY', 'VAPID_PRIVATE_KEY'])(
  'production requires %s',
  (variable) => {
    expect(() => readConfig({ ...production, [variable]: undefined })).toThrow(variable);
  },
);

test.each([
  ['PORT', '99999'],
  ['PUBLIC_URL', 'stagedoor.example'],
  ['SESSION_SECRET', 'short-secret'],
  ['LEDGER_LOG_SIGNING_KEY', 'short-key'],
  ['VAPID_PRIVATE_KEY', 'short-key'],
  ['CCBILL_ACCOUNT', '12'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s is refused with an error that names the variable but not the value', (variable, value) => {
  const read = () => readConfig({ ...production, [variable]: value });
  expect(read).toThrow(variable);
  expect(read).not.toThrow(value);
});

test('production reports what it cannot do because of missing settings', () => {
  const listWarnings = (env: Record<string, string>) =>
    listConfigWarnings(readConfig({ ...production, ...env })).join();
  expect(listWarnings({})).toMatch(/SMTP_URL.*CCBILL_ACCOUNT.*DATALINK/);
  expect(listWarnings({ PAYMENT_SANDBOX: '1', PUBLIC_URL: 'http://x.example' })).toMatch(/https.*PAYMENT_SANDBOX/);
  const complete = {
    SMTP_URL: 'smtps://mail.example',
    CCBILL_ACCOUNT: '123456',
    CCBILL_DATALINK_USERNAME: 'u',
    CCBILL_DATALINK_PASSWORD: 'p',
    ...{ TURN_URLS: 'turns:turn.example:443', TURN_SECRET: 'Hk3vQz8nLw5tRb2y', COTURN_CLI: '127.0.0.1:5766' },
  };
  expect(listWarnings(complete)).toBe('');
  expect(listWarnings({ ...complete, COTURN_CLI: '' })).toContain('COTURN_CLI');
  expect(listWarnings({ ...complete, TURN_URLS: '' })).toContain('TURN_URLS');
  expect(listConfigWarnings(readConfig({ DATA_DIR: dataDir }))).toEqual([]);
});

test('derived keys differ by purpose and stay the same', () => {
  const config = readConfig(production);
  expect(config.deriveKey('a')).toEqual(readConfig(production).deriveKey('a'));
  expect(config.deriveKey('a')).not.toEqual(config.deriveKey('b'));
});

test('DATABASE_OWNER_URL names the owner of the database and requires DATABASE_URL', () => {
  const [product, owner] = ['postgres://app@db/stagedoor', 'postgres://owner@db/stagedoor'];
  expect(readConfig({ ...production, DATABASE_URL: product, DATABASE_OWNER_URL: owner }).databaseOwnerUrl).toBe(owner);
  expect(readConfig({ ...production, DATABASE_URL: product }).databaseOwnerUrl).toBe(product);
  expect(() => readConfig({ ...production, DATABASE_OWNER_URL: owner })).toThrow(
    'DATABASE_OWNER_URL: requires DATABASE_URL',
  );
});

test('calls hide addresses in production and with a relay, and an incomplete relay or SFU is refused', () => {
  const turn = { TURN_URLS: 'turn:one.example, turns:two.example:443', TURN_SECRET: 'north' };
  const readCalls = (env: Record<string, string>) => readConfig({ DATA_DIR: dataDir, ...env }).calls;
  expect(readCalls({})).toMatchObject({ provider: 'webrtc', turn: undefined, isRelayOnly: false });
  expect(readCalls({ ...turn, COTURN_CLI: 'relay:5766', COTURN_CLI_PASSWORD: 'p' })).toMatchObject({
    isRelayOnly: true,
    turn: {
      ...{ urls: ['turn:one.example', 'turns:two.example:443'], secret: 'north' },
      cli: { host: 'relay', port: 5766, password: 'p' },
    },
  });
  expect(readCalls({ ...turn, CALLS_RELAY_ONLY: '0' }).isRelayOnly).toBe(false);
  expect(readConfig(production).calls.isRelayOnly).toBe(true);
  expect(() => readCalls({ TURN_URLS: 'turn:one.example' })).toThrow('TURN_URLS: requires TURN_SECRET');
  expect(() => readCalls({ CALLS_PROVIDER: 'livekit', LIVEKIT_URL: 'wss://sfu.example' })).toThrow(
    'CALLS_PROVIDER=livekit requires',
  );
});

test('pages may connect only to this origin and the configured SFU', () => {
  const sfu = {
    CALLS_PROVIDER: 'livekit',
    LIVEKIT_URL: 'wss://sfu.example:7443/here',
    LIVEKIT_API_KEY: 'k',
    LIVEKIT_API_SECRET: 's',
  };
  const listSources = (env: Record<string, string>) =>
    listConnectSources({ ...readConfig({ ...production, ...env }), isHotReload: false });
  expect(listSources({})).toEqual(["'self'"]);
  expect(listSources({ ...sfu, CALLS_PROVIDER: 'webrtc' })).toEqual(["'self'"]);
  expect(listSources(sfu)).toEqual(["'self'", 'wss://sfu.example:7443', 'https://sfu.example:7443']);
});
