import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GENERATORS, listSnapshots } from './generated.ts';
import { root } from './project.mjs';

test('all generators and their files exist', () => {
  const paths = GENERATORS.flatMap(({ args, files }) => [args[0] ?? '', ...files]);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('snapshots of tests are found automatically', () => {
  const { tests, files } = listSnapshots();
  expect(tests).toContain('server/testing/limits.test.ts');
  expect(files).toContain('server/testing/limits.txt');
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
