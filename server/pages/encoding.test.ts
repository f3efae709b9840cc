import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { choosePageEncoding, compressBody, joinBody, packBody, toBody, toSharedPiece, unpackBody } from './encoding.ts';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.0,gzip;q=0', 'identity'],
  ['br;q=0.5', 'br'],
  [undefined, 'identity'],
  ['brotli', 'identity'],
])('accept-encoding %s selects %s', (accept, encoding) =>
  expect(choosePageEncoding({ 'accept-encoding': accept })).toBe(encoding),
);

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const SAFARI = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15';

test.each([
  [CHROME, 'gzip, deflate, br, zstd', 'zstd'],
  [FIREFOX, 'gzip, deflate, br, zstd', 'zstd'],
  [CHROME, 'gzip, deflate, br, zstd;q=0', 'br'],
  [CHROME, 'gzip, deflate, br', 'br'],
  [SAFARI, 'gzip, deflate, br, zstd', 'br'],
  ['curl/8.9', 'zstd', 'identity'],
])('several zstd frames are sent only to browsers that are known to read them: %s %s', (agent, accept, encoding) => {
  expect(choosePageEncoding({ 'accept-encoding': accept, 'user-agent': agent })).toBe(encoding);
});

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function splitFrames(bytes: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(MAGIC); at >= 0; at = bytes.indexOf(MAGIC, at + 1)) starts.push(at);
  return starts.map((start, index) => bytes.subarray(start, starts[index + 1]));
}

test('a shared piece is inserted as its own frame, and the whole body decodes correctly', () => {
  const piece = toSharedPiece(Buffer.from(`<style>${'.a{color:red}'.repeat(500)}</style>`));
  const head = Buffer.from('<title>Über den Dächern</title>');
  const tail = Buffer.from(`<main>${'☂ umbrella '.repeat(300)}</main>`);
  const body = { head, piece, tail };
  const bytes = Buffer.concat([head, piece.bytes, tail]);
  expect(joinBody(body)).toEqual(bytes);
  const sent = compressBody(body, 'zstd', 5);
  expect(sent.includes(piece.zstd)).toBe(true);
  expect(Buffer.concat(splitFrames(sent).map((frame) => zstdDecompressSync(frame)))).toEqual(bytes);
  expect(zstdDecompressSync(compressBody(toBody(bytes), 'zstd', 5))).toEqual(bytes);
  expect(brotliDecompressSync(compressBody(body, 'br', 5))).toEqual(bytes);
  expect(gunzipSync(compressBody(body, 'gzip', 5))).toEqual(bytes);
  expect(compressBody(body, 'identity', 5)).toEqual(bytes);
  expect(compressBody(toBody(bytes), 'identity', 5)).toBe(bytes);
});

test('a packed body is small, owns its memory and unpacks unchanged', () => {
  const piece = toSharedPiece(Buffer.from('<style>a{}</style>'));
  const head = Buffer.from('<title>Über den Dächern</title>');
  const tail = Buffer.from(`<main>${'☂ umbrella '.repeat(3_000)}</main>`);
  const packed = packBody({ head, piece, tail });
  expect(unpackBody(packed)).toEqual({ head, piece, tail });
  expect(packed.tail.length).toBeLessThan(tail.length / 4);
  for (const bytes of [packed.head, packed.tail]) expect(bytes.buffer.byteLength).toBe(bytes.length);
  const packedWhole = packBody(toBody(head));
  expect(joinBody(unpackBody(packedWhole))).toEqual(head);
  expect(packedWhole.tail).toHaveLength(0);
});

test('a body of any size fits the compression window', () => {
  for (const size of [0, 1, 65_535, 65_536, 5_000_000]) {
    const bytes = Buffer.alloc(size, 'stage ');
    expect(brotliDecompressSync(compressBody(toBody(bytes), 'br', 1)).equals(bytes)).toBe(true);
  }
});
