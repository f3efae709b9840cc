import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { buildModuleText, findForbiddenAccess } from './split-contract.ts';

const contract = fileURLToPath(new URL('../../contract/', import.meta.url));
const files = (await readdir(contract, { recursive: true }))
  .filter((name) => /^[\w-]+\/[\w-]+\.ts$/.test(name))
  .map((name) => path.join(contract, name));

const listExports = (text: string) =>
  [...text.matchAll(/export \{ ([^}]*) \}/g)].flatMap(([, names = '']) => names.split(', ').filter(Boolean)).sort();

test.each(files)('%s keeps every export, and its schema-free half does not need zod', async (file) => {
  expect(listExports(await buildModuleText(file, ''))).toEqual(Object.keys(await import(file)).sort());
  expect(await buildModuleText(file, '?plain')).not.toContain('zod');
});

test('a route keeps what a call needs, and user-facing values stay out of the schema half', async () => {
  const plain = await buildModuleText(path.join(contract, 'identity/accounts.ts'), '?plain');
  expect(plain).toContain("const login = ({ method: 'POST', path: '/auth/login' })".replaceAll("'", '"'));
  expect(plain).toContain('PASSWORD_RULE');
  expect(listExports(await buildModuleText(path.join(contract, 'shared/money.ts'), '?plain'))).toContain('formatUsd');
});

test('access to a schema through its route is refused', () => {
  const page =
    "import { login } from '@stagedoor/contract/identity/accounts.ts';\nimport { body } from './elsewhere.ts';\n";
  expect(findForbiddenAccess(`${page}use(login.body);`, 'page.js')).toBe('login.body');
  expect(findForbiddenAccess(`${page}use(login.path, body.body);`, 'page.js')).toBeUndefined();
});
