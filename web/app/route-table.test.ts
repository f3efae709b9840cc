import { expect, test } from 'vitest';
import { deskTableUrl, isOfDesk, leanTable, withoutDesk } from './route-table.ts';

const TABLE = {
  entry: { module: '/entry.js', imports: ['/shared.js'] },
  routes: {
    shell: { imports: ['/shared.js', '/b.js', '/a.js'] },
    home: { parentId: 'shell' },
    'admin-area': { parentId: 'shell' },
    'desk-frame': { parentId: 'admin-area' },
    cases: { parentId: 'desk-frame', imports: ['/entry.js', '/case.js'] },
  },
};

test('the table lists no file that every page loads, and sorts the others', () => {
  const { routes } = leanTable(TABLE);
  expect([routes.shell.imports, routes.cases.imports]).toEqual([['/a.js', '/b.js'], ['/case.js']]);
});

test('the admin console has its own table, which also contains all other pages', () => {
  expect(Object.keys(withoutDesk(TABLE).routes)).toEqual(['shell', 'home']);
  expect(Object.keys(TABLE.routes).filter((id) => isOfDesk(TABLE.routes, id))).toEqual([
    'admin-area',
    'desk-frame',
    'cases',
  ]);
  expect(deskTableUrl('/assets/manifest-99a1a4d2.js')).toBe('/assets/desk-99a1a4d2.js');
  expect(deskTableUrl('/@id/browser-manifest')).toBe('/@id/browser-manifest');
});
