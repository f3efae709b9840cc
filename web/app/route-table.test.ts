import { expect, test } from 'vitest';
import { isAdminRoute, removeAdminRoutes, toAdminTableUrl, toLeanTable } from './route-table.ts';

const TABLE = {
  entry: { module: '/entry.js', imports: ['/shared.js'] },
  routes: {
    shell: { imports: ['/shared.js', '/b.js', '/a.js'] },
    home: { parentId: 'shell' },
    'admin-area': { parentId: 'shell' },
    'admin-layout': { parentId: 'admin-area' },
    cases: { parentId: 'admin-layout', imports: ['/entry.js', '/case.js'] },
  },
};

test('the table lists no file that every page loads, and sorts the others', () => {
  const { routes } = toLeanTable(TABLE);
  expect([routes.shell.imports, routes.cases.imports]).toEqual([['/a.js', '/b.js'], ['/case.js']]);
});

test('the admin console has its own table, which also contains all other pages', () => {
  expect(Object.keys(removeAdminRoutes(TABLE).routes)).toEqual(['shell', 'home']);
  expect(Object.keys(TABLE.routes).filter((id) => isAdminRoute(TABLE.routes, id))).toEqual([
    'admin-area',
    'admin-layout',
    'cases',
  ]);
  expect(toAdminTableUrl('/assets/manifest-99a1a4d2.js')).toBe('/assets/admin-99a1a4d2.js');
  expect(toAdminTableUrl('/@id/browser-manifest')).toBe('/@id/browser-manifest');
});
