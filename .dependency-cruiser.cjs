/**
 * Who may import what, by pattern, so that a new room is covered on the day it is made. The order of the server's
 * rooms is the list below: a room may call the levels before its own, through their index.ts. Rooms on one level
 * are siblings and tell each other by events.
 */
const levels = [
  ['ledger'],
  ['accounts'],
  ['sales', 'presence'],
  ['media'],
  ['posts', 'follows'],
  ['drafts', 'feed', 'profiles', 'wallet'],
  ['chat'],
  ['broadcasts'],
  ['development'],
];

const tests = String.raw`\.test\.tsx?$|/testing\.ts$|^server/testing/`;
const feature = (names) => `^server/features/(${names.join('|')})/`;

const downward = levels.flatMap((rooms, index) =>
  rooms.map((room) => ({
    name: `downward-only-from-${room}`,
    comment: 'Call down, tell up: what is above or beside hears by events.',
    severity: 'error',
    from: { path: feature([room]) },
    to: { path: '^server/features/[^/]+/', pathNot: [...levels.slice(0, index).map(feature), feature([room])] },
  })),
);

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule(
      'no-circular',
      'Two files that need each other are one file, or lack a third.',
      {},
      {
        circular: true,
        viaOnly: { dependencyTypesNot: ['type-only'] },
      },
    ),
    rule(
      'resolvable',
      'The import leads nowhere.',
      {},
      { couldNotResolve: true, pathNot: String.raw`\+types/|^virtual:` },
    ),
    rule(
      'contract-imports-zod-only',
      'The contract runs in browser and server alike.',
      { path: '^contract/', pathNot: tests },
      {
        pathNot: '^contract/|(^|/)node_modules/zod/',
      },
    ),
    rule(
      'server-not-web',
      'Server and web share the contract and nothing else.',
      { path: '^server/' },
      { path: '^web/', pathNot: '^web/build/' },
    ),
    rule(
      'web-not-server',
      'Server and web share the contract and nothing else.',
      { path: '^web/' },
      { path: '^server/' },
    ),
    rule(
      'nobody-imports-tools',
      'The product does not depend on its tests, measurements or commands.',
      { path: '^(contract|server|web)/' },
      {
        path: '^(e2e|bench|scripts)/',
      },
    ),
    rule(
      'kernel-not-features',
      'The kernel knows no room.',
      { path: '^server/kernel/', pathNot: tests },
      { path: '^server/features/' },
    ),
    rule(
      'through-the-front-door',
      'Another room is entered through its index.ts; tests may also use its testing.ts.',
      {
        path: '^server/features/([^/]+)/',
        pathNot: tests,
      },
      {
        path: '^server/features/[^/]+/',
        pathNot: ['^server/features/$1/', String.raw`^server/features/[^/]+/index\.ts$`],
      },
    ),
    rule(
      'tests-through-the-front-door',
      'Another room is entered through its index.ts; tests may also use its testing.ts.',
      {
        path: String.raw`^server/features/([^/]+)/(.*\.test\.ts|testing\.ts)$`,
      },
      {
        path: '^server/features/[^/]+/',
        pathNot: ['^server/features/$1/', String.raw`^server/features/[^/]+/(index|testing)\.ts$`],
      },
    ),
    rule(
      'outside-through-the-front-door',
      'Who is in no room enters through index.ts.',
      {
        path: '^server/(?!features/[^/]+/)',
        pathNot: tests,
      },
      { path: '^server/features/[^/]+/', pathNot: String.raw`^server/features/[^/]+/index\.ts$` },
    ),
    rule(
      'room-has-a-place',
      'A new room needs its place in the order at the top of this file.',
      { path: '^server/features/[^/]+/', pathNot: levels.map(feature) },
      {},
    ),
    ...downward,
    rule(
      'no-tests-in-product',
      'Test code stays out of what runs.',
      { path: '^(contract|server|web)/', pathNot: tests },
      { path: tests },
    ),
    rule(
      'web-features-apart',
      'Pages compose features; features do not know each other.',
      { path: '^web/features/([^/]+)/' },
      {
        path: '^web/features/',
        pathNot: '^web/features/$1/',
      },
    ),
    rule(
      'web-features-not-pages',
      'Pages compose features, not the other way round.',
      { path: '^web/features/' },
      { path: '^web/(pages|app)/' },
    ),
    rule(
      'web-kernel-low',
      'The web kernel knows neither features nor pages.',
      { path: '^web/kernel/' },
      { path: '^web/(features|pages|app)/' },
    ),
    rule(
      'ui-without-domain',
      'The design system has no domain: it is given what it shows.',
      { path: '^web/ui/' },
      {
        path: '^(web/(features|pages|app|kernel)|contract)/',
      },
    ),
    rule(
      'pages-not-app',
      'The route table imports pages, not the other way round.',
      { path: '^web/pages/' },
      { path: '^web/app/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: String.raw`(^|/)(web/build|\.react-router|\.node|\.data|\.cache)/` },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
