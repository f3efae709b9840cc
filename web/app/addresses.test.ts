import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as adminAddresses from '@stagedoor/contract/admin/addresses.ts';
import * as addresses from '@stagedoor/contract/shared/addresses.ts';
import { consentPath, PUBLIC_PATHS, policyPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { CASE_PATHS, casePath } from '@stagedoor/contract/trust/case-addresses.ts';
import { matchRoutes, type RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import routes from './routes.ts';

type Entry = (typeof routes)[number];

function toRoutes(entries: readonly Entry[]): RouteObject[] {
  return entries.map(({ index, path, file, children }) =>
    index ? { index: true, id: file } : { ...(path && { path }), children: toRoutes(children ?? []) },
  );
}

const { ADMIN_PATHS, ...adminBuilders } = adminAddresses;
const {
  PATHS,
  GATE_INTENTS,
  signupGatePath,
  loginGatePath,
  callReceiptPath,
  passwordPath,
  preferencesPath,
  ...builders
} = addresses;
const NOT_FOUND = '*';

function findPattern(address: string): string | undefined {
  return matchRoutes(toRoutes(routes), new URL(address, 'http://localhost').pathname)
    ?.map(({ route }) => route.path)
    .findLast((path) => path !== undefined);
}

test('every page address of the contract leads to a page', () => {
  // The contract's type declarations list a default export of the namespace that does not exist at run time.
  const builtPaths = Object.values(builders).flatMap((build) => (typeof build === 'function' ? build('x', 'x') : []));
  builtPaths.push(...Object.values(adminBuilders).flatMap((build) => (typeof build === 'function' ? build('x') : [])));
  for (const intent of GATE_INTENTS) builtPaths.push(signupGatePath(intent, '/x'), loginGatePath(intent, '/x'));
  builtPaths.push(callReceiptPath('fan', 'x'), callReceiptPath('creator', 'x'));
  builtPaths.push(passwordPath(PATHS.fanProfile), preferencesPath(PATHS.fanNotifications));
  expect(builtPaths.length).toBeGreaterThan(8);
  builtPaths.push(casePath('x'), consentPath('/x'), policyPath('dmca', '2026-11-23'));
  const unmatched = [
    ...[PATHS, PUBLIC_PATHS, CASE_PATHS, ADMIN_PATHS].flatMap((paths) => Object.values<string>(paths)),
    ...builtPaths,
  ].filter((address) => findPattern(address) === NOT_FOUND);
  expect(unmatched).toEqual([]);
  expect(findPattern('/no/such/page')).toBe(NOT_FOUND);
});

test('no source file writes a page address as a literal', () => {
  const root = new URL('../../', import.meta.url);
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'web', 'server'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|testing|\/demo\/|web\/app\/routes\.ts$/.test(path));
  const first = [
    ...new Set([...Object.values(PATHS), ...Object.values(PUBLIC_PATHS)].map((path) => path.split('/')[1])),
  ].filter(Boolean);
  const literal = new RegExp(`['"\`]/(?:${[...first, 'profile'].join('|')})(?:['"\`?]|/(?!\\*|:))`);
  const literals = files.flatMap((path) =>
    readFileSync(new URL(path, root), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        literal.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line) ? [`${path}:${index + 1}`] : [],
      ),
  );
  expect(literals).toEqual([]);
});
