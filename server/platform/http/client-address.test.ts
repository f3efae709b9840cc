import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createTestApp } from '../../testing/app.ts';
import { cleanForwardedFor, createAddressResolver, toNetwork } from './client-address.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
  ['2002:cb00:7109::1', '203.0.113.9'],
  ['2002:cb00:7109:1:2:3:4:5', '203.0.113.9'],
  ['64:ff9b::cb00:7109', '203.0.113.9'],
  ['64:ff9b::203.0.113.9', '203.0.113.9'],
  ['::ffff:58c6:a14', '88.198.10.20'],
  ['64:ff9b:1::cb00:7109', '64:ff9b:1:0'],
  ['2003:cb00:7109::1', '2003:cb00:7109:0'],
  ['2001:db8:1:2::9', '2001:db8:1:0'],
  ['2001:db8:1:2ff::9', '2001:db8:1:200'],
  ['2001:0db8:0001:ab34::9', '2001:db8:1:ab00'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('%s belongs to the network %s', (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:4711', '203.0.113.9'],
  ['[2001:db8::9]:4711', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['2001:db8::9', '2001:db8::9'],
  ['198.51.100.7:1, 203.0.113.9:2, 127.0.0.1:3', '198.51.100.7, 203.0.113.9, 127.0.0.1'],
  ['198.51.100.7, unknown, 203.0.113.9', '203.0.113.9'],
  ['203.0.113.9, rubbish', undefined],
  ['203.0.113.999', undefined],
  ['_hidden:80', undefined],
  ['', undefined],
  [undefined, undefined],
])('x-forwarded-for %j is reduced to the addresses after the last invalid hop', (header, addresses) => {
  const headers = header === undefined ? {} : { 'x-forwarded-for': header };
  cleanForwardedFor({ headers });
  expect(headers).toEqual(addresses === undefined ? {} : { 'x-forwarded-for': addresses });
});

test('a request behind a proxy belongs to the forwarded address without its port, or to the proxy if it is invalid', async () => {
  const app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' } });
  const http = app.app.http;
  http.get('/test/ip', (request) => ({ ip: request.ip }));
  const resolveAddress = createAddressResolver(['127.0.0.1', '10.0.0.0/8']);
  for (const [header, ip] of [
    ['203.0.113.9:1', '203.0.113.9'],
    ['203.0.113.9:2, 10.0.0.1:80', '203.0.113.9'],
    ['[2001:db8::9]:3', '2001:db8::9'],
    ['rubbish', '127.0.0.1'],
    ['203.0.113.9, rubbish, 10.0.0.1', '10.0.0.1'],
  ] as const) {
    const headers = { 'x-forwarded-for': header };
    expect([header, (await http.inject({ url: '/test/ip', headers })).json()]).toEqual([header, { ip }]);
    const request = Object.assign(new IncomingMessage(new Socket()), { headers: { ...headers } });
    Object.defineProperty(request.socket, 'remoteAddress', { value: '127.0.0.1' });
    expect(resolveAddress(request)).toBe(ip);
  }
  await app.close();
});
