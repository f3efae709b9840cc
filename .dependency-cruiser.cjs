/**
 * Import boundaries. The rules are patterns, so they also cover new modules. A server module may only import the
 * index.ts of the modules that its manifest names. It communicates with all others by events.
 */
const { readRooms } = require('./scripts/lib/rooms.ts');

const rooms = readRooms();

const tests = String.raw`\.test\.tsx?$|[/.]testing\.ts$|^server/testing/`;
const feature = (names) => `^server/features/(${names.join('|')})/`;
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const standingOn = (name) => {
  const direct = rooms.filter(({ above }) => above.includes(name)).map((room) => room.name);
  return [...new Set([...direct, ...direct.flatMap(standingOn)])];
};

const downward = rooms.flatMap(({ name, above }) => [
  rule(
    `${name}-stands-on`,
    'Call down, tell up: a room imports those that its manifest names under `above`; the others hear by events.',
    { path: feature([name]), pathNot: tests },
    { path: '^server/features/[^/]+/', pathNot: feature([name, ...above]) },
  ),
  rule(
    `tests-of-${name}-stay-below`,
    'A test may use rooms beside its own, and none that stands on it.',
    { path: feature([name]) },
    { path: feature([...standingOn(name), 'nobody']) },
  ),
]);

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
      'manifests-are-data',
      'A manifest is read by tools: it says what a room is and runs nothing of it.',
      { path: String.raw`^server/features/[^/]+/manifest\.ts$` },
      { pathNot: String.raw`^contract/|^server/kernel/(room|personal-data)\.ts$` },
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
