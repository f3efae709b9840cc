import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, createServer as createProxy } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { createProcesses, findFreePort } from '../../../../testing/processes.ts';
import { actOnCall, connectTestCall, createCallPair, FAN_DEVICE, getCallRow } from '../testing.ts';
import { endAllocations } from './coturn.ts';
import { readToken, readWebhook, signToken } from './livekit.ts';
import { relayCandidate, relayDescription } from './strip-addresses.ts';
import { signPass, verifyPass } from './tokens.ts';
import { allocateRelay } from './turn.testing.ts';
import { turnCredentials } from './webrtc.ts';

const AT = new Date('2026-01-01T00:00:00.000Z');
const expiresAt = new Date(AT.getTime() + 120_000);

describe('a session token', () => {
  const key = Buffer.alloc(32, 7);
  const pass = { callId: randomUUID(), side: 'fan' as const, userId: randomUUID() };

  it('is valid for one call, side and user until it expires', () => {
    const token = signPass(key, pass, expiresAt);
    expect(verifyPass(key, token, AT)).toEqual(pass);
    expect(verifyPass(key, token, expiresAt)).toBeUndefined();
    expect(verifyPass(Buffer.alloc(32, 8), token, AT)).toBeUndefined();
  });

  it('is rejected after any change', () => {
    const parts = signPass(key, pass, expiresAt).split('.');
    const changes = [randomUUID(), 'creator', randomUUID(), String(expiresAt.getTime() + 1), 'x'];
    for (const [index, change] of changes.entries())
      expect(verifyPass(key, parts.with(index, change).join('.'), AT)).toBeUndefined();
    for (const nonsense of ['', '.', '....', `${parts.join('.')}.`, 'x'.repeat(2_000)])
      expect(verifyPass(key, nonsense, AT)).toBeUndefined();
  });
});

describe('address filtering', () => {
  const host = 'candidate:1 1 udp 2122260223 192.168.1.7 54400 typ host generation 0 ufrag ab';
  const mdns = 'candidate:1 1 udp 2122260223 3f2a.local 54400 typ host';
  const reflexive = 'candidate:2 1 udp 1686052607 203.0.113.9 54400 typ srflx raddr 192.168.1.7 rport 54400';
  const relay = 'candidate:3 1 udp 41885439 198.51.100.4 49152 typ relay raddr 203.0.113.9 rport 54400 generation 0';

  it('keeps only relay candidates and removes the address behind them', () => {
    for (const candidate of [host, mdns, reflexive]) expect(relayCandidate(candidate)).toBeUndefined();
    expect(relayCandidate(relay)).toBe(
      'candidate:3 1 udp 41885439 198.51.100.4 49152 typ relay raddr 0.0.0.0 rport 0 generation 0',
    );
    expect(relayCandidate('')).toBe('');
  });

  it('removes addresses from session descriptions with any line ending', () => {
    const sdp = [
      ...['v=0', 'o=- 46 2 IN IP4 192.168.1.7', 's=-', 't=0 0', 'm=audio 54400 UDP/TLS/RTP/SAVPF 111'],
      ...['c=IN IP4 203.0.113.9', 'a=rtcp:54401 IN IP4 203.0.113.9', `a=${host}`, `a=${reflexive}`, `a=${relay}`],
      ...['a=remote-candidates:1 203.0.113.9 54400', 'a=ice-ufrag:ab', 'a=fingerprint:sha-256 AA', ''],
    ];
    for (const end of ['\r\n', '\n', '\r']) {
      const stripped = relayDescription(sdp.join(end));
      expect(stripped).not.toMatch(/192\.168|203\.0\.113/);
      expect(stripped).toContain('198.51.100.4 49152 typ relay raddr 0.0.0.0 rport 0');
      expect(stripped).toContain('a=ice-ufrag:ab\r\na=fingerprint:sha-256 AA\r\n');
    }
  });
});

describe('coturn', () => {
  const processes = createProcesses();
  const [secret, password] = ['north', 'command-line'];
  let folder = '';
  let [port, cli] = [0, 0];
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-turn-'));
    [port, cli] = [await findFreePort(), await findFreePort()];
    const settings = [
      ...['-n', '--use-auth-secret', `--static-auth-secret=${secret}`, '--realm=stagedoor', '--no-tls', '--no-dtls'],
      ...[`--listening-port=${port}`, '--listening-ip=127.0.0.1', '--relay-ip=127.0.0.1', '--allow-loopback-peers'],
      ...['--cli-ip=127.0.0.1', `--cli-port=${cli}`, `--cli-password=${password}`, '--log-file=stdout'],
      ...[`--pidfile=${path.join(folder, 'pid')}`, `--userdb=${path.join(folder, 'db')}`],
    ];
    processes.add(spawn('/usr/bin/turnserver', settings, { stdio: 'ignore' }));
    await vi.waitFor(() => endAllocations({ host: '127.0.0.1', port: cli, password }, 'nobody'), {
      timeout: 30_000,
      interval: 200,
    });
  });
  afterAll(async () => {
    await processes.endAll();
    await rm(folder, { recursive: true, force: true });
  });

  it('uses credentials as defined in the TURN REST API draft', () => {
    expect(turnCredentials('north', 'user42', 1_767_225_600)).toEqual({
      username: '1767225600:user42',
      credential: 'TMI5Rx8RNMSk6LgJDTBGZZTDrOY=',
    });
  });

  it('ends the allocations of one call and leaves the others', async () => {
    const [callId, other, userId] = [randomUUID(), randomUUID(), randomUUID()];
    const until = Math.floor(Date.now() / 1000) + 60;
    const open = async (name: string) => {
      const socket = createSocket('udp4');
      await allocateRelay(socket, port, turnCredentials(secret, name, until));
      return socket;
    };
    const sockets = [
      await open(`${callId}.${userId}`),
      await open(`${callId}.${randomUUID()}`),
      await open(`${other}.${userId}`),
    ];
    const end = (name: string) => endAllocations({ host: '127.0.0.1', port: cli, password }, name);
    expect(await end(callId)).toBe(2);
    await vi.waitFor(async () => expect(await end(callId)).toBe(0), { timeout: 30_000 });
    expect(await end(other)).toBe(1);
    for (const socket of sockets) socket.close();
  });

  it('ends allocations when a user moves to another device and when a call is over', async () => {
    let receivedText = '';
    const proxy = createProxy((from) => {
      const to = connect({ host: '127.0.0.1', port: cli });
      from.on('data', (data) => {
        receivedText += String(data);
      });
      from.pipe(to).pipe(from);
      for (const socket of [from, to]) socket.on('error', () => undefined).on('close', () => to.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const at = proxy.address();
    const turn = { TURN_URLS: `turn:127.0.0.1:${port}`, TURN_SECRET: secret, COTURN_CLI_PASSWORD: password };
    const address = `127.0.0.1:${typeof at === 'object' ? at?.port : 0}`;
    const app = await createTestApp({ env: { ...turn, COTURN_CLI: address } });
    const sockets: Socket[] = [];
    try {
      const pair = await createCallPair(app);
      const id = await connectTestCall(app, pair);
      const { session } = (await pair.fan.inject('GET', '/api/call/current')).json().call;
      const connectDevice = async (device: string) => {
        const body = { token: session.token, device };
        const response = (await pair.fan.inject('POST', `/api/call/connect/${id}`, body)).json();
        const socket = createSocket('udp4');
        sockets.push(socket);
        await allocateRelay(socket, port, response.iceServers[0]);
      };
      await connectDevice(FAN_DEVICE);
      expect(receivedText).toBe('');
      await connectDevice('another-tab');
      expect(receivedText).toMatch(new RegExp(`psp ${id}\\.${pair.fan.id}\r\ncs \\d+\r\n`));
      receivedText = '';
      await actOnCall(pair.fan, 'end', id);
      await app.ctx.events.waitUntilIdle();
      expect(receivedText).toMatch(new RegExp(`psp ${id}\r\ncs \\d+\r\n`));
    } finally {
      for (const socket of sockets) socket.close();
      await app.close();
      proxy.close();
    }
  });
});

describe('LiveKit', () => {
  const keys = { apiKey: 'key', apiSecret: 'a-secret-of-livekit' };
  const requests: { url: string; body: unknown; claims: unknown }[] = [];
  const liveKitServer = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      const claims = readToken(keys, token, new Date());
      if (claims) requests.push({ url: request.url ?? '', body: JSON.parse(body), claims });
      response.writeHead(claims ? 200 : 401, { 'content-type': 'application/json' }).end('{}');
    });
  });
  let app: TestApp;
  beforeAll(async () => {
    liveKitServer.listen(0, '127.0.0.1');
    await once(liveKitServer, 'listening');
    const address = liveKitServer.address();
    const at = typeof address === 'object' ? address?.port : 0;
    const livekit = {
      LIVEKIT_URL: `ws://127.0.0.1:${at}`,
      LIVEKIT_API_KEY: keys.apiKey,
      LIVEKIT_API_SECRET: keys.apiSecret,
    };
    app = await createTestApp({ env: { CALLS_PROVIDER: 'livekit', ...livekit } });
  });
  afterAll(async () => {
    await app.close();
    liveKitServer.close();
  });

  const post = (body: string, sha256?: string) => {
    const { createHash } = process.getBuiltinModule('node:crypto');
    const at = app.clock.now();
    const hash = sha256 ?? createHash('sha256').update(body).digest('base64');
    const token = signToken(keys, { sha256: hash }, at, new Date(at.getTime() + 60_000));
    return app.inject('POST', '/webhooks/livekit', body, {
      'content-type': 'application/webhook+json',
      authorization: token,
    });
  };

  it('verifies webhooks by the hash of their body', () => {
    const body = '{"event":"room_finished"}';
    const signed = (sha256: string) => signToken(keys, { sha256 }, AT, expiresAt);
    const right = signed('+IgaTFcZ8JkJU9BjAXUs1XP+bYNXkAlgrT7vV5zdDWI=');
    expect(readWebhook(keys, body, right, AT)).toBe('none');
    expect(readWebhook(keys, `${body} `, right, AT)).toBeUndefined();
    expect(readWebhook(keys, body, right, expiresAt)).toBeUndefined();
    expect(readWebhook({ ...keys, apiSecret: 'x' }, body, right, AT)).toBeUndefined();
  });

  it('admits users to the room of their call, handles a participant who leaves, and deletes the room', async () => {
    const pair = await createCallPair(app);
    const id = await connectTestCall(app, pair);
    const { session } = (await pair.fan.inject('GET', '/api/call/current')).json().call;
    const body = { token: session.token, device: 'tab-of-the-fan' };
    const connection = (await pair.fan.inject('POST', `/api/call/connect/${id}`, body)).json();
    expect(connection).toMatchObject({ provider: 'livekit', url: app.ctx.config.calls.livekit.url, iceServers: [] });
    expect(readToken(keys, connection.call.session.token, app.clock.now())).toMatchObject({
      iss: 'key',
      sub: pair.fan.id,
      video: { roomJoin: true, room: id },
    });
    const leftEvent = { event: 'participant_left', room: { name: id }, participant: { identity: pair.creator.id } };
    expect((await post(JSON.stringify(leftEvent), 'of another body')).statusCode).toBe(404);
    expect((await getCallRow(app, id)).running_since).not.toBeNull();
    expect((await post(JSON.stringify(leftEvent))).statusCode).toBe(204);
    expect(await getCallRow(app, id)).toMatchObject({ running_since: null, is_creator_connected: false });
    const moved = { ...body, device: 'another-tab' };
    expect((await pair.fan.inject('POST', `/api/call/connect/${id}`, moved)).statusCode).toBe(200);
    expect(requests.splice(0)).toMatchObject([
      { url: '/twirp/livekit.RoomService/RemoveParticipant', body: { room: id, identity: pair.fan.id } },
    ]);
    await actOnCall(pair.fan, 'end', id);
    await app.ctx.events.waitUntilIdle();
    expect(requests).toMatchObject([
      { url: '/twirp/livekit.RoomService/DeleteRoom', body: { room: id }, claims: { iss: 'key', video: { room: id } } },
    ]);
  });
});
