/**
 * Import boundaries. The rules are patterns, so they also cover new modules. A server module may only import the
 * index.ts of the modules that its manifest names. It communicates with all others by events.
 */
const { DOMAINS } = require('./scripts/lib/module-folders.ts');
const { readModules } = require('./scripts/lib/modules.ts');

const modules = readModules();

const tests = String.raw`\.test\.tsx?$|[/.]testing\.ts$|^server/testing/`;
const MODULE = 'server/modules/[^/]+/[^/]+/';
const toModulePattern = (names) => `^server/modules/[^/]+/(${names.join('|')})/`;
const toDomainPattern = (side, names) => `^${side}/modules/(${names.join('|')})/`;
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const listDependents = (name) => {
  const direct = modules.filter(({ dependsOn }) => dependsOn.includes(name)).map((module) => module.name);
  return [...new Set([...direct, ...direct.flatMap(listDependents)])];
};

const downward = modules.flatMap(({ name, dependsOn }) => [
  rule(
    `${name}-depends-on`,
    'Call down, notify up: a module imports those that its manifest names under `dependsOn`, and notifies others by events.',
    { path: toModulePattern([name]), pathNot: tests },
    { path: `^${MODULE}`, pathNot: toModulePattern([name, ...dependsOn]) },
  ),
  rule(
    `tests-of-${name}-not-dependents`,
    'A test may use other modules, but none that depends on its own.',
    { path: toModulePattern([name]) },
    { path: toModulePattern([...listDependents(name), 'none']) },
  ),
]);

const domainsInOrder = DOMAINS.slice(0, -1).map((domain, index) =>
  rule(
    `${domain}-not-higher-domains`,
    'A domain imports those below it (DOMAINS in scripts/lib/module-folders.ts), and notifies those above it by events.',
    { path: toDomainPattern('server', [domain]), pathNot: tests },
    { path: toDomainPattern('server', DOMAINS.slice(index + 1)) },
  ),
);

module.exports = {
  forbidden: [
    rule(
      'no-circular',
      'Merge two files that import each other, or move what both need into a third.',
      {},
      { circular: true },
    ),
    rule(
      'resolvable',
      'The imported file does not exist.',
      {},
      { couldNotResolve: true, pathNot: String.raw`\+types/|^virtual:` },
    ),
    rule(
      'contract-imports',
      'The contract runs in browser and server alike, so it imports only zod and linkify-it.',
      { path: '^contract/', pathNot: tests },
      {
        pathNot: '^contract/|(^|/)node_modules/(zod|linkify-it)/',
      },
    ),
    rule(
      'server-not-web',
      'Server and web share only the contract.',
      { path: '^server/' },
      { path: '^web/', pathNot: '^web/build/' },
    ),
    rule('web-not-server', 'Server and web share only the contract.', { path: '^web/' }, { path: '^server/' }),
    rule(
      'no-tools-in-product',
      'The product does not depend on its tests, measurements or commands.',
      { path: '^(contract|server|web)/' },
      {
        path: '^(e2e|bench|scripts)/',
      },
    ),
    rule(
      'platform-not-modules',
      'The platform does not depend on modules.',
      { path: '^server/platform/', pathNot: tests },
      { path: '^server/modules/' },
    ),
    rule(
      'through-index',
      'Other modules are imported through their index.ts. Tests may also use their testing.ts.',
      {
        path: '^server/modules/([^/]+/[^/]+)/',
        pathNot: tests,
      },
      {
        path: `^${MODULE}`,
        pathNot: ['^server/modules/$1/', String.raw`^${MODULE}index\.ts$`],
      },
    ),
    rule(
      'tests-through-index',
      'Other modules are imported through their index.ts. Tests may also use their testing.ts.',
      {
        path: String.raw`^server/modules/([^/]+/[^/]+)/(.*\.test\.ts|testing\.ts)$`,
      },
      {
        path: `^${MODULE}`,
        pathNot: ['^server/modules/$1/', String.raw`^${MODULE}(index|testing)\.ts$`],
      },
    ),
    rule(
      'outside-through-index',
      'Code outside of modules imports them through their index.ts.',
      {
        path: `^server/(?!modules/[^/]+/[^/]+/)`,
        pathNot: tests,
      },
      { path: `^${MODULE}`, pathNot: String.raw`^${MODULE}index\.ts$` },
    ),
    rule(
      'manifests-are-data',
      'Tools read manifests, so they declare a module without running any of it.',
      { path: String.raw`^${MODULE}manifest\.ts$` },
      { pathNot: String.raw`^contract/|^server/platform/(module|personal-data)\.ts$` },
    ),
    ...domainsInOrder,
    ...downward,
    rule(
      'no-tests-in-product',
      'The product does not import test code.',
      { path: '^(contract|server|web)/', pathNot: tests },
      { path: tests },
    ),
    rule(
      'web-modules-not-each-other',
      'Pages compose modules. Modules do not import each other.',
      { path: '^web/modules/([^/]+/[^/]+)/' },
      {
        path: '^web/modules/',
        pathNot: '^web/modules/$1/',
      },
    ),
    rule(
      'web-modules-not-pages',
      'Pages compose modules, not the other way round.',
      { path: '^web/modules/' },
      { path: '^web/(pages|app)/' },
    ),
    rule(
      'web-platform-not-modules',
      'The platform of the web imports neither modules nor pages.',
      { path: '^web/platform/' },
      { path: '^web/(modules|pages|app)/' },
    ),
    rule(
      'ui-without-domain',
      'The design system has no domain. It receives what it shows as props.',
      { path: '^web/ui/' },
      {
        path: '^(web/(modules|pages|app|platform)|contract)/',
        pathNot: '^contract/shared/format-text',
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
