import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { iconNames } from './icon.tsx';

test('every icon is used', async () => {
  const web = path.join(import.meta.dirname, '..');
  const files = await Promise.all(
    ['app', 'modules', 'pages', 'ui'].map((folder) =>
      readdir(path.join(web, folder), { recursive: true, withFileTypes: true }),
    ),
  );
  const sources = files
    .flat()
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name) && file.name !== 'icon.tsx')
    .filter((file) => !file.parentPath.includes('gallery'));
  const texts = await Promise.all(sources.map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')));
  const all = texts.join('\n');
  expect(iconNames.filter((name) => !all.includes(`'${name}'`) && !all.includes(`"${name}"`))).toEqual([]);
});
