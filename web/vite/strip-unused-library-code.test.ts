import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import config from '../react-router.config.ts';
import { findOmittedUse, OMISSIONS, removeOmitted } from './strip-unused-library-code.ts';

const LIBRARY = `
function kept() { return left() + twice(); }
function left(what) { return what * 2; }
Old.prototype.play = function () { return left(1); };
Older.prototype.play = function () { return 2; };
function twice() {} { function twice() {} }
`;
const createOmission = (functions: string[], returnValue?: string) => ({
  label: 'a thing',
  module: /./,
  functions,
  ...(returnValue !== undefined && { returnValue }),
});

test('an omitted function is empty or returns the given value, and a prototype loses its methods', () => {
  expect(removeOmitted(LIBRARY, 'x.js', createOmission(['left']))).toContain('function left(what) {}');
  expect(removeOmitted(LIBRARY, 'x.js', createOmission(['left'], '""'))).toContain(
    'function left(what) { return ""; }',
  );
  const withoutMethods = removeOmitted(LIBRARY, 'x.js', createOmission(['Old.prototype']));
  expect(withoutMethods).not.toContain('Old.prototype.play');
  expect(withoutMethods).toContain('Older.prototype.play');
});

test('a function that the library lacks or contains twice fails the build', () => {
  expect(() => removeOmitted(LIBRARY, 'x.js', createOmission(['gone']))).toThrow(
    'x.js has 0 functions of the name gone',
  );
  expect(() => removeOmitted(LIBRARY, 'x.js', createOmission(['twice']))).toThrow('has 2 functions of the name twice');
});

test('the installed libraries contain every omitted function', async () => {
  const { resolve } = createRequire(import.meta.url);
  const folders = ['react-dom', 'react-router'].map((name) => path.dirname(resolve(`${name}/package.json`)));
  const files = [
    'cjs/react-dom-client.production.js',
    'dist/production/lib/router/router.js',
    'dist/production/lib/router/instrumentation.js',
    'dist/production/lib/dom/ssr/fog-of-war.js',
  ].flatMap((file) => folders.map((folder) => path.join(folder, file)));
  for (const one of OMISSIONS) {
    const file = files.find((each) => one.module.test(each)) ?? '';
    const code = await readFile(file, 'utf8');
    expect(removeOmitted(code, file, one).length, one.label).toBeLessThan(code.length);
  }
});

test.each([
  ["import { ViewTransition } from 'react';", 'view transitions'],
  ['jsx(Fragment, { ref: own, children })', 'references to fragments'],
  ["import { preload } from 'react-dom';", 'the fetching of files ahead'],
  ["preinit('/a.js', { as: 'script' });", 'the fetching of files ahead'],
  ['const [state, send] = useActionState(act, 0);', 'states of form actions'],
  ['const fetcher = useFetcher();', 'fetchers'],
  ['jsx(HydratedRouter, { instrumentations })', 'instrumentation'],
])('%s fails the build', (code, label) => {
  expect(findOmittedUse(code, '/web/pages/one.tsx')).toBe(label);
  expect(findOmittedUse(code, '/node_modules/react-router/dist/one.js')).toBeUndefined();
});

test('code on every page needs no omitted function', () => {
  expect(findOmittedUse("video.preload = 'none'; jsx(Fragment, { children })", '/web/ui/one.tsx')).toBeUndefined();
  expect(config.routeDiscovery.mode).toBe('initial');
});
