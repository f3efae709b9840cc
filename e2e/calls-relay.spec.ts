/**
 * Calls through a real relay (coturn) that both browsers are forced to use, on a separate server that is killed during
 * a call. Neither side learns any address of the other except the relay's.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Page } from '@playwright/test';
import type { OpenCall } from '@stagedoor/contract/messaging/calls.ts';
import puppeteer from 'puppeteer-core';
import { findFirefox, findTurnServer } from '../scripts/lib/system.mjs';
import {
  type EvaluatingPage,
  expectMedia,
  fetchCallDetail,
  findLatestCall,
  getCallDialog,
  openCallPages,
  openDeviceCheck,
  recordConnections,
  startCallByPage,
  TEST_CALL_SETTINGS,
} from './support/calls.ts';
import { type BrowserUser, callApi, createConfirmedAccount, expect, PASSWORD, test } from './support/fixtures.ts';
import { addFunds } from './support/money.ts';
import { freePort, makeDataDir, type RunningServer, removeDataDir, startServer } from './support/server.ts';

const PORTS = { min: 61_000, max: 61_400 } as const;
const SECRET = 'north';
/** Fake camera and microphone without a permission prompt, and a relay on this machine. */
const FAKE_MEDIA = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.peerconnection.ice.loopback': true,
};

let relay: ChildProcess;
let server: RunningServer;
let start: () => Promise<RunningServer>;
let dataDir = '';
const savedEnv = { url: process.env.STAGEDOOR_URL, dataDir: process.env.STAGEDOOR_DATA_DIR };

test.beforeAll(async () => {
  const program = findTurnServer();
  if (program === undefined) throw new Error('coturn is not on this machine');
  dataDir = await makeDataDir();
  const [port, turnPort] = [await freePort(), await freePort()];
  const settings = [
    ...[
      '-n',
      '--use-auth-secret',
      `--static-auth-secret=${SECRET}`,
      '--realm=stagedoor',
      '--no-tls',
      '--no-dtls',
      '--no-cli',
    ],
    ...[`--listening-port=${turnPort}`, '--listening-ip=127.0.0.1', '--relay-ip=127.0.0.1', '--allow-loopback-peers'],
    ...[`--min-port=${PORTS.min}`, `--max-port=${PORTS.max}`, '--log-file=stdout'],
    ...[`--pidfile=${path.join(dataDir, 'turn.pid')}`, `--userdb=${path.join(dataDir, 'turn.db')}`],
  ];
  relay = spawn(program, settings, { stdio: 'ignore' });
  const env = { TURN_URLS: `turn:127.0.0.1:${turnPort}`, TURN_SECRET: SECRET };
  start = () => startServer({ dataDir, port, hasDemo: false, env });
  server = await start();
  process.env.STAGEDOOR_URL = server.url;
  process.env.STAGEDOOR_DATA_DIR = dataDir;
});
test.afterAll(async () => {
  process.env.STAGEDOOR_URL = savedEnv.url;
  process.env.STAGEDOOR_DATA_DIR = savedEnv.dataDir;
  await server?.end();
  const ended = once(relay, 'exit');
  relay.kill();
  await ended;
  await removeDataDir(dataDir);
});

function recordSignals(page: Page): string[] {
  const signals: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const text = payload.toString();
      if (text.includes('"CALL_SIGNAL"')) signals.push(text);
    }),
  );
  return signals;
}

type Candidate = { isLocal: boolean; type: string; port: number };

function listCandidates(page: EvaluatingPage): Promise<Candidate[]> {
  return page.evaluate(async () => {
    const candidates: Candidate[] = [];
    for (const connection of window.connections ?? [])
      for (const report of (await connection.getStats()).values())
        if (report.type === 'local-candidate' || report.type === 'remote-candidate')
          candidates.push({
            isLocal: report.type === 'local-candidate',
            type: report.candidateType,
            port: report.port,
          });
    return candidates;
  });
}

async function expectRelayAlone(page: EvaluatingPage, signals: readonly string[]): Promise<void> {
  const seen = await listCandidates(page);
  expect(seen.filter(({ isLocal }) => isLocal).length).toBeGreaterThan(0);
  expect(seen.filter(({ isLocal }) => !isLocal).length).toBeGreaterThan(0);
  // A candidate that is received before it was announced counts as peer reflexive, with the port of the relay.
  for (const { isLocal, type, port } of seen) {
    expect(isLocal ? ['relay'] : ['relay', 'prflx']).toContain(type);
    expect(port >= PORTS.min && port <= PORTS.max, `${type} at ${port}`).toBe(true);
  }
  const announced = signals.flatMap((text) => text.match(/candidate:[^"\\]+/g) ?? []);
  expect(announced.length).toBeGreaterThan(0);
  for (const one of announced) expect(one).toMatch(/ 127\.0\.0\.1 61\d{3} typ relay raddr 0\.0\.0\.0 rport 0/);
  const addresses = new Set(signals.join().match(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g));
  expect([...addresses].filter((address) => !['0.0.0.0', '127.0.0.1'].includes(address))).toEqual([]);
  expect(signals.join()).not.toContain('.local');
}

const getCallClock = async ({ context }: BrowserUser) =>
  (await callApi<{ call: OpenCall | null }>(context, 'GET', '/call/current')).call?.clock;

test('a call uses the relay alone and continues after kill -9 of the server', async ({ createUser }) => {
  test.setTimeout(90_000);
  const signals = new Map<string, string[]>();
  const pair = await openCallPages(async (type) => {
    const one = await createUser(type);
    signals.set(type, recordSignals(one.page));
    return one;
  });
  const { creator, fan } = pair;
  await (await startCallByPage(pair)).getByRole('button', { name: /^Accept/ }).click();
  await expectMedia(pair);
  await expectRelayAlone(fan.page, signals.get('customer') ?? []);
  await expectRelayAlone(creator.page, signals.get('creator') ?? []);

  const before = await getCallClock(fan);
  await server.kill();
  server = await start();
  await expect
    .poll(async () => (await getCallClock(fan).catch(() => undefined))?.connectedMs ?? 0, { timeout: 25_000 })
    .toBeGreaterThan((before?.connectedMs ?? 0) + 2_000);
  await expect.poll(async () => (await getCallClock(fan))?.isRunning, { timeout: 20_000 }).toBe(true);
  await expectMedia(pair);
  await getCallDialog(fan.page).getByRole('button', { name: 'End call' }).click();
  await expect(creator.page.getByRole('dialog', { name: 'Receipt' })).toBeVisible();
  const log = await findLatestCall(fan);
  const { status, charged, chargedSeconds } = await fetchCallDetail(fan, log?.callLogId ?? '');
  expect({ status, charged }).toEqual({ status: 'ended', charged: Math.floor(chargedSeconds * 5) / 100 });
});

test('a call with Firefox on one side uses the relay alone', async ({ createUser }) => {
  const firefox = findFirefox();
  test.skip(firefox === undefined, 'Firefox is not on this machine: its run is left out');
  test.setTimeout(90_000);
  const browser = await puppeteer.launch({
    ...{ browser: 'firefox', executablePath: firefox ?? '', headless: true, extraPrefsFirefox: FAKE_MEDIA },
  });
  try {
    const { username } = await createConfirmedAccount('creator');
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(recordConnections);
    await page.goto(`${server.url}/login`);
    const send = (method: string, address: string, body: object) =>
      page.evaluate(
        async (...[verb, url, text]) =>
          (await fetch(url, { method: verb, headers: { 'content-type': 'application/json' }, body: text })).status,
        method,
        `/api${address}`,
        JSON.stringify(body),
      );
    expect(await send('POST', '/auth/login', { username, password: PASSWORD })).toBe(200);
    expect(await send('PUT', '/creator/call-settings', TEST_CALL_SETTINGS)).toBe(200);
    await page.goto(`${server.url}/creator`);
    const fan = await createUser('customer');
    await addFunds(fan.context, 50);
    await fan.context.grantPermissions(['camera', 'microphone']);
    await fan.page.addInitScript(recordConnections);
    const signals = recordSignals(fan.page);
    const check = await openDeviceCheck({ creator: { username }, fan });
    await check.getByRole('button', { name: /^Call / }).click();
    await page.locator('::-p-xpath(//button[starts-with(normalize-space(.), "Accept")])').click();
    await expectMedia({ creator: { page }, fan });
    await expectRelayAlone(fan.page, signals);
    await expectRelayAlone(page, signals);
    await getCallDialog(fan.page).getByRole('button', { name: 'End call' }).click();
    await expect(fan.page.getByRole('dialog', { name: 'Receipt' })).toBeVisible();
  } finally {
    await browser.close();
  }
});
