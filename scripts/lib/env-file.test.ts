import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../server/platform/config.ts';
import { createEnvFile, listSettings, writeEnvFile } from './env-file.mjs';
import { root } from './project.mjs';

const folder = mkdtempSync(join(tmpdir(), 'stagedoor-env-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OWN = { PUBLIC_URL: 'https://stage.example', CCBILL_SALT: 'salt-of-ccbill', DATA_DIR: folder };

test('starts production once the values of the operator are filled in', () => {
  const env = { ...parseEnv(createEnvFile()), ...OWN };
  expect(readConfig(env)).toMatchObject({ isProduction: true, publicUrl: 'https://stage.example' });
  expect(() => readConfig({ ...env, CCBILL_SALT: '' })).toThrow(
    /^Invalid configuration:\n {2}CCBILL_SALT: required[^\n]*$/,
  );
});

test('has other secrets each time', () => {
  const [first, second] = [parseEnv(createEnvFile()), parseEnv(createEnvFile())];
  for (const name of ['SESSION_SECRET', 'LEDGER_LOG_SIGNING_KEY', 'VAPID_PRIVATE_KEY', 'CCBILL_WEBHOOK_SECRET'])
    expect(first[name]).not.toBe(second[name]);
});

test('names each setting of the server, and each is in the table of the README', () => {
  const source = readFileSync(join(root, 'server/platform/config.ts'), 'utf8');
  const [, schema = ''] = /const environment = z\.object\(\{(.*?)\n\}\);/s.exec(source) ?? [];
  const known = [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].flatMap(([, name]) => name ?? []);
  const settings = known.filter((name) => name !== 'STAGEDOOR_DEV').sort();
  expect(settings.length).toBeGreaterThan(50);
  expect(
    listSettings()
      .flatMap(({ variables }) => variables)
      .sort(),
  ).toEqual(settings);
  const lines = createEnvFile().split('\n');
  expect(
    settings.filter((name) => lines.filter((line) => line.replace('#', '').startsWith(`${name}=`)).length !== 1),
  ).toEqual([]);
});

test('is readable only by its owner and never overwrites a file', () => {
  const file = join(folder, 'stagedoor.env');
  writeEnvFile(file);
  const text = readFileSync(file, 'utf8');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(() => writeEnvFile(file)).toThrow('is not overwritten');
  expect(readFileSync(file, 'utf8')).toBe(text);
});
