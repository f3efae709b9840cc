import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { completeLockfile, listMissingOptional } from './lockfile.mjs';

const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url));

test('package-lock.json is complete (run `npm run lockfile` if it is not)', () => {
  expect(listMissingOptional(JSON.parse(readFileSync(file, 'utf8')))).toEqual([]);
});

test('missing packages are added with their platform, unless an existing entry resolves them', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/a': {
        dev: true,
        optionalDependencies: { '@a/linux-arm64-musl': '1.2.3', '@a/wasm32-wasi': '^1.2.3', '@a/darwin-x64': '1.2.3' },
      },
      'node_modules/a/node_modules/@a/darwin-x64': { optional: true },
    },
  };
  expect(listMissingOptional(lock).map(([, name]) => name)).toEqual(['@a/linux-arm64-musl', '@a/wasm32-wasi']);
  const { packages } = completeLockfile(lock);
  expect(packages).toMatchObject({
    'node_modules/@a/linux-arm64-musl': {
      version: '1.2.3',
      resolved: 'https://registry.npmjs.org/@a/linux-arm64-musl/-/linux-arm64-musl-1.2.3.tgz',
      os: ['linux'],
      cpu: ['arm64'],
      libc: ['musl'],
      dev: true,
      optional: true,
    },
    'node_modules/@a/wasm32-wasi': { version: '1.2.3', cpu: ['wasm32'] },
  });
  expect(listMissingOptional({ packages })).toEqual([]);
});

test('a range that is not a single version is refused', () => {
  const lock = { packages: { 'node_modules/a': { optionalDependencies: { 'b-linux-x64': '>=1' } } } };
  expect(() => completeLockfile(lock)).toThrow('b-linux-x64@>=1');
});
