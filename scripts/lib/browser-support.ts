/**
 * Checks built assets against the oldest supported browsers (web/vite/browser-targets.ts) by MDN's compatibility data: globals, static
 * members, methods, regular expressions, and CSS properties, values, selectors, functions and at-rules. Methods are
 * matched by name alone: one passes if any interface supports it or if the code defines a method of that name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompatData, CompatStatement, Identifier } from '@mdn/browser-compat-data';
import { type ESTree, parseSync, Visitor } from 'vite';
import { FEATURE_EXCEPTIONS, SUPPORTED_BROWSERS } from '../../web/vite/browser-targets.ts';

const CLIENT_ASSETS = fileURLToPath(new URL('../../web/build/client/assets/', import.meta.url));
const data: CompatData = createRequire(import.meta.url)('@mdn/browser-compat-data');
const BUILTINS = data.javascript.builtins;
const GLOBALS = new Set(['window', 'globalThis', 'self']);
const BROWSERS = ['chrome', 'edge', 'firefox', 'safari', 'safari_ios'] as const;

/** The supported browsers that lack the feature. Prefixed and flagged support does not count. */
function listLackingBrowsers({ support }: CompatStatement): string[] {
  return BROWSERS.filter((browser) => {
    const statement = support[browser];
    const statements = statement === undefined ? [] : Array.isArray(statement) ? statement : [statement];
    return !statements.some(
      ({ version_added, version_removed, flags, prefix, alternative_name }) =>
        typeof version_added === 'string' &&
        Number.parseFloat(version_added.replace('≤', '')) <= Number(SUPPORTED_BROWSERS[browser]) &&
        !version_removed &&
        !flags &&
        !prefix &&
        !alternative_name,
    );
  });
}

type Features = ReadonlyMap<string, readonly string[]>;

function listChildren(feature: Identifier | undefined): [string, Identifier][] {
  const { __compat, ...named } = feature ?? {};
  return Object.entries<Identifier>(named);
}

class FeatureNames {
  readonly #lacking = new Map<string, string[]>();
  readonly #known = new Set<string>();
  add(name: string, { __compat }: Identifier): void {
    if (!__compat) return;
    const lacking = listLackingBrowsers(__compat);
    if (lacking.length === 0) this.#known.add(name);
    else this.#lacking.set(name, lacking);
  }
  getLackingFeatures(): Features {
    return new Map([...this.#lacking].filter(([name]) => !this.#known.has(name)));
  }
}

function listScriptFeatures() {
  const [globals, statics, methods] = [new FeatureNames(), new FeatureNames(), new FeatureNames()];
  for (const [owner, members] of [...listChildren(data.api), ...listChildren(BUILTINS)]) {
    globals.add(owner, members);
    for (const [key, member] of listChildren(members)) {
      if (key.endsWith('_event')) continue;
      const isBuiltin = BUILTINS?.[owner] !== undefined;
      const isStatic = key.endsWith('_static');
      const name = key.replace(/_static$/, '');
      // For JavaScript's own objects the data does not say which members are static.
      if (isStatic || isBuiltin) statics.add(`${owner}.${name}`, member);
      // A static member is found by its owner. Its name alone only counts if it is supported.
      if (!isStatic || (member.__compat && listLackingBrowsers(member.__compat).length === 0))
        methods.add(name, member);
      // Members of window can be used without a prefix.
      if (owner === 'Window') globals.add(name, member);
    }
  }
  return {
    globals: globals.getLackingFeatures(),
    statics: statics.getLackingFeatures(),
    methods: methods.getLackingFeatures(),
  };
}

function addDeepNames(feature: Identifier | undefined, names: FeatureNames): FeatureNames {
  for (const [name, child] of listChildren(feature)) {
    names.add(name, child);
    addDeepNames(child, names);
  }
  return names;
}

function listStyleFeatures() {
  const [properties, values, selectors, atRules] = [
    new FeatureNames(),
    new FeatureNames(),
    new FeatureNames(),
    new FeatureNames(),
  ];
  for (const [name, property] of listChildren(data.css.properties)) {
    properties.add(name, property);
    for (const [value, feature] of listChildren(property)) values.add(`${name}: ${value}`, feature);
  }
  for (const [name, selector] of listChildren(data.css.selectors)) selectors.add(name, selector);
  for (const [name, rule] of listChildren(data.css['at-rules'])) atRules.add(name, rule);
  return {
    properties: properties.getLackingFeatures(),
    values: values.getLackingFeatures(),
    selectors: selectors.getLackingFeatures(),
    atRules: atRules.getLackingFeatures(),
    functions: addDeepNames(data.css.types, new FeatureNames()).getLackingFeatures(),
  };
}

function listRegexFeatures(): Features {
  const flags = BUILTINS?.RegExp;
  const names = new FeatureNames();
  if (flags?.unicodeSets) names.add('v', flags.unicodeSets);
  if (flags?.hasIndices) names.add('d', flags.hasIndices);
  const modifiers = data.javascript.regular_expressions?.modifier;
  if (modifiers) names.add('modifiers', modifiers);
  return names.getLackingFeatures();
}

const REGEX = listRegexFeatures();
const SCRIPT = listScriptFeatures();
const STYLE = listStyleFeatures();

export type UnsupportedFeatures = Map<string, readonly string[]>;

function addGap(gaps: UnsupportedFeatures, features: Features, name: string, label = name): void {
  const lacking = features.get(name);
  if (lacking) gaps.set(label, lacking);
}

const getPropertyName = (
  property: ESTree.Expression | ESTree.PrivateIdentifier,
  isComputed: boolean,
): string | undefined => (property.type === 'Identifier' && !isComputed ? property.name : undefined);

export function listDefinedNames(code: string): Set<string> {
  const names = new Set<string>();
  const define = (key: ESTree.PropertyKey, isComputed: boolean) => {
    if (key.type === 'Identifier' && !isComputed) names.add(key.name);
  };
  new Visitor({
    Property: ({ key, computed }) => define(key, computed),
    MethodDefinition: ({ key, computed }) => define(key, computed),
    PropertyDefinition: ({ key, computed }) => define(key, computed),
    AssignmentExpression({ left }) {
      if (left.type === 'MemberExpression' && left.property.type === 'Identifier' && !left.computed)
        names.add(left.property.name);
    },
  }).visit(parseSync('built.js', code, { lang: 'js' }).program);
  return names;
}

export function findScriptGaps(
  code: string,
  defined: ReadonlySet<string> = listDefinedNames(code),
): UnsupportedFeatures {
  const gaps: UnsupportedFeatures = new Map();
  const properties = new Set<number>();
  new Visitor({
    MemberExpression({ object, property, computed }) {
      const name = getPropertyName(property, computed);
      if (!name) return;
      properties.add(property.start);
      if (object.type === 'Identifier') addGap(gaps, SCRIPT.statics, `${object.name}.${name}`);
      if (object.type === 'Identifier' && GLOBALS.has(object.name)) addGap(gaps, SCRIPT.globals, name);
    },
    CallExpression({ callee, optional }) {
      if (callee.type !== 'MemberExpression' || optional || callee.optional) return;
      const name = getPropertyName(callee.property, callee.computed);
      const owner = callee.object.type === 'Identifier' ? callee.object.name : '';
      const isKnown = GLOBALS.has(owner) || SCRIPT.statics.has(`${owner}.${name}`);
      if (name && !isKnown && !defined.has(name)) addGap(gaps, SCRIPT.methods, name, `.${name}()`);
    },
    Property({ key, computed, shorthand }) {
      if (!computed && !shorthand) properties.add(key.start);
    },
    MethodDefinition({ key, computed }) {
      if (!computed) properties.add(key.start);
    },
    PropertyDefinition({ key, computed }) {
      if (!computed) properties.add(key.start);
    },
    Identifier({ name, start }) {
      if (!properties.has(start) && !defined.has(name)) addGap(gaps, SCRIPT.globals, name);
    },
    Literal(literal) {
      if (!('regex' in literal)) return;
      const { flags, pattern } = literal.regex;
      for (const flag of flags) addGap(gaps, REGEX, flag, `/…/${flag}`);
      if (/\(\?[ims]*-?[ims]+:/.test(pattern)) addGap(gaps, REGEX, 'modifiers', '/(?i:…)/');
    },
  }).visit(parseSync('built.js', code, { lang: 'js' }).program);
  return gaps;
}

/** The unsupported features that styles use. Rules inside `@supports` are ignored because their fallback is outside. */
export function findStyleGaps(css: string): UnsupportedFeatures {
  const gaps: UnsupportedFeatures = new Map();
  const plain = stripSupports(
    css
      .replace(/\\./g, '')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '""'),
  );
  for (const [, name = ''] of plain.matchAll(/@([a-z-]+)/g)) addGap(gaps, STYLE.atRules, name, `@${name}`);
  for (const [, property = '', value = ''] of plain.matchAll(/(?<=[{;}])\s*([a-z][a-z-]*)\s*:([^;{}]*)(?=[;}])/g)) {
    addGap(gaps, STYLE.properties, property);
    for (const [keyword] of value.matchAll(/(?<![\w-])[a-z][a-z-]*(?![\w(-])/g))
      addGap(gaps, STYLE.values, `${property}: ${keyword}`);
    for (const [, name = ''] of value.matchAll(/(?<![\w-])([a-z][a-z-]*)\(/g))
      addGap(gaps, STYLE.functions, name, `${name}()`);
  }
  for (const [, head = ''] of plain.matchAll(/(?<=^|[{};])([^{};@]+)(?={)/g)) {
    for (const [, name = ''] of head.matchAll(/:([a-z-]+)/g)) addGap(gaps, STYLE.selectors, name, `:${name}`);
    if (head.includes('&')) addGap(gaps, STYLE.selectors, 'nesting', '&');
  }
  return gaps;
}

function stripSupports(css: string): string {
  let rest = css;
  for (let at = rest.indexOf('@supports'); at >= 0; at = rest.indexOf('@supports')) {
    let end = rest.indexOf('{', at);
    for (let depth = end < 0 ? 0 : 1; depth > 0 && end < rest.length; ) {
      end += 1;
      if (rest[end] === '{') depth += 1;
      else if (rest[end] === '}') depth -= 1;
    }
    rest = rest.slice(0, at) + (end < 0 ? '' : rest.slice(end + 1));
  }
  return rest;
}

export function checkBrowserSupport(folder = CLIENT_ASSETS): string[] {
  const files = readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name));
  const texts = files.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const scripts = texts.filter(({ name }) => name.endsWith('.js'));
  const defined = new Set(scripts.flatMap(({ text }) => [...listDefinedNames(text)]));
  const used = new Map<string, { lacking: readonly string[]; files: string[] }>();
  for (const { name, text } of texts)
    for (const [gap, lacking] of name.endsWith('.js') ? findScriptGaps(text, defined) : findStyleGaps(text))
      used.set(gap, { lacking, files: [...(used.get(gap)?.files ?? []), name] });
  const exceptions = Object.keys(FEATURE_EXCEPTIONS);
  const appliesTo = (exception: string, gap: string) =>
    exception.endsWith('*') ? gap.startsWith(exception.slice(0, -1)) : gap === exception;
  const unexpected = [...used].filter(([gap]) => !exceptions.some((exception) => appliesTo(exception, gap)));
  return [
    ...unexpected.map(
      ([gap, { lacking, files }]) => `${gap} is not in ${lacking.join(', ')} of the floor: ${files.join(', ')}`,
    ),
    ...exceptions
      .filter((exception) => ![...used.keys()].some((gap) => appliesTo(exception, gap)))
      .map((exception) => `web/vite/browser-targets.ts excuses ${exception}, which nothing uses any more`),
  ];
}
