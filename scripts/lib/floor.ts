/**
 * Checks built assets against the oldest supported browsers (web/floor.ts) by MDN's compatibility data: globals, static
 * members, methods, regular expressions, and CSS properties, values, selectors, functions and at-rules. Methods are
 * matched by name alone: one passes if any interface supports it or if the code defines a method of that name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompatData, CompatStatement, Identifier } from '@mdn/browser-compat-data';
import { type ESTree, parseSync, Visitor } from 'vite';
import { EXCEPTIONS, FLOOR } from '../../web/floor.ts';

const CLIENT_ASSETS = fileURLToPath(new URL('../../web/build/client/assets/', import.meta.url));
const data: CompatData = createRequire(import.meta.url)('@mdn/browser-compat-data');
const BUILTINS = data.javascript.builtins;
const GLOBALS = new Set(['window', 'globalThis', 'self']);
const BROWSERS = ['chrome', 'edge', 'firefox', 'safari', 'safari_ios'] as const;

/** The supported browsers that lack the feature. Prefixed and flagged support does not count. */
function lackingIn({ support }: CompatStatement): string[] {
  return BROWSERS.filter((browser) => {
    const found = support[browser];
    const statements = found === undefined ? [] : Array.isArray(found) ? found : [found];
    return !statements.some(
      ({ version_added, version_removed, flags, prefix, alternative_name }) =>
        typeof version_added === 'string' &&
        Number.parseFloat(version_added.replace('≤', '')) <= Number(FLOOR[browser]) &&
        !version_removed &&
        !flags &&
        !prefix &&
        !alternative_name,
    );
  });
}

type Features = ReadonlyMap<string, readonly string[]>;

function children(of: Identifier | undefined): [string, Identifier][] {
  const { __compat, ...named } = of ?? {};
  return Object.entries<Identifier>(named);
}

class Names {
  readonly #lacking = new Map<string, string[]>();
  readonly #known = new Set<string>();
  add(name: string, { __compat }: Identifier): void {
    if (!__compat) return;
    const lacking = lackingIn(__compat);
    if (lacking.length === 0) this.#known.add(name);
    else this.#lacking.set(name, lacking);
  }
  lacking(): Features {
    return new Map([...this.#lacking].filter(([name]) => !this.#known.has(name)));
  }
}

function scriptFeatures() {
  const [globals, statics, methods] = [new Names(), new Names(), new Names()];
  for (const [owner, members] of [...children(data.api), ...children(BUILTINS)]) {
    globals.add(owner, members);
    for (const [key, member] of children(members)) {
      if (key.endsWith('_event')) continue;
      const isBuiltin = BUILTINS?.[owner] !== undefined;
      const isStatic = key.endsWith('_static');
      const name = key.replace(/_static$/, '');
      // For JavaScript's own objects the data does not say which members are static.
      if (isStatic || isBuiltin) statics.add(`${owner}.${name}`, member);
      // A static member is found by its owner. Its name alone only counts if it is supported.
      if (!isStatic || (member.__compat && lackingIn(member.__compat).length === 0)) methods.add(name, member);
      // Members of window can be used without a prefix.
      if (owner === 'Window') globals.add(name, member);
    }
  }
  return { globals: globals.lacking(), statics: statics.lacking(), methods: methods.lacking() };
}

function deepNames(of: Identifier | undefined, into: Names): Names {
  for (const [name, child] of children(of)) {
    into.add(name, child);
    deepNames(child, into);
  }
  return into;
}

function styleFeatures() {
  const [properties, values, selectors, atRules] = [new Names(), new Names(), new Names(), new Names()];
  for (const [name, property] of children(data.css.properties)) {
    properties.add(name, property);
    for (const [value, feature] of children(property)) values.add(`${name}: ${value}`, feature);
  }
  for (const [name, selector] of children(data.css.selectors)) selectors.add(name, selector);
  for (const [name, rule] of children(data.css['at-rules'])) atRules.add(name, rule);
  return {
    properties: properties.lacking(),
    values: values.lacking(),
    selectors: selectors.lacking(),
    atRules: atRules.lacking(),
    functions: deepNames(data.css.types, new Names()).lacking(),
  };
}

function regexFeatures(): Features {
  const flags = BUILTINS?.RegExp;
  const names = new Names();
  if (flags?.unicodeSets) names.add('v', flags.unicodeSets);
  if (flags?.hasIndices) names.add('d', flags.hasIndices);
  const modifiers = data.javascript.regular_expressions?.modifier;
  if (modifiers) names.add('modifiers', modifiers);
  return names.lacking();
}

const REGEX = regexFeatures();
const SCRIPT = scriptFeatures();
const STYLE = styleFeatures();

export type Gaps = Map<string, readonly string[]>;

function put(gaps: Gaps, features: Features, name: string, shown = name): void {
  const lacking = features.get(name);
  if (lacking) gaps.set(shown, lacking);
}

const nameOf = (property: ESTree.Expression | ESTree.PrivateIdentifier, isComputed: boolean): string | undefined =>
  property.type === 'Identifier' && !isComputed ? property.name : undefined;

export function definedIn(code: string): Set<string> {
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

export function scriptGaps(code: string, defined: ReadonlySet<string> = definedIn(code)): Gaps {
  const gaps: Gaps = new Map();
  const properties = new Set<number>();
  new Visitor({
    MemberExpression({ object, property, computed }) {
      const name = nameOf(property, computed);
      if (!name) return;
      properties.add(property.start);
      if (object.type === 'Identifier') put(gaps, SCRIPT.statics, `${object.name}.${name}`);
      if (object.type === 'Identifier' && GLOBALS.has(object.name)) put(gaps, SCRIPT.globals, name);
    },
    CallExpression({ callee, optional }) {
      if (callee.type !== 'MemberExpression' || optional || callee.optional) return;
      const name = nameOf(callee.property, callee.computed);
      const owner = callee.object.type === 'Identifier' ? callee.object.name : '';
      const isKnown = GLOBALS.has(owner) || SCRIPT.statics.has(`${owner}.${name}`);
      if (name && !isKnown && !defined.has(name)) put(gaps, SCRIPT.methods, name, `.${name}()`);
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
      if (!properties.has(start) && !defined.has(name)) put(gaps, SCRIPT.globals, name);
    },
    Literal(literal) {
      if (!('regex' in literal)) return;
      const { flags, pattern } = literal.regex;
      for (const flag of flags) put(gaps, REGEX, flag, `/…/${flag}`);
      if (/\(\?[ims]*-?[ims]+:/.test(pattern)) put(gaps, REGEX, 'modifiers', '/(?i:…)/');
    },
  }).visit(parseSync('built.js', code, { lang: 'js' }).program);
  return gaps;
}

/** The unsupported features that styles use. Rules inside `@supports` are ignored because their fallback is outside. */
export function styleGaps(css: string): Gaps {
  const gaps: Gaps = new Map();
  const plain = withoutSupports(
    css
      .replace(/\\./g, '')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '""'),
  );
  for (const [, name = ''] of plain.matchAll(/@([a-z-]+)/g)) put(gaps, STYLE.atRules, name, `@${name}`);
  for (const [, property = '', value = ''] of plain.matchAll(/(?<=[{;}])\s*([a-z][a-z-]*)\s*:([^;{}]*)(?=[;}])/g)) {
    put(gaps, STYLE.properties, property);
    for (const [word] of value.matchAll(/(?<![\w-])[a-z][a-z-]*(?![\w(-])/g))
      put(gaps, STYLE.values, `${property}: ${word}`);
    for (const [, name = ''] of value.matchAll(/(?<![\w-])([a-z][a-z-]*)\(/g))
      put(gaps, STYLE.functions, name, `${name}()`);
  }
  for (const [, head = ''] of plain.matchAll(/(?<=^|[{};])([^{};@]+)(?={)/g)) {
    for (const [, name = ''] of head.matchAll(/:([a-z-]+)/g)) put(gaps, STYLE.selectors, name, `:${name}`);
    if (head.includes('&')) put(gaps, STYLE.selectors, 'nesting', '&');
  }
  return gaps;
}

function withoutSupports(css: string): string {
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

export function checkFloor(folder = CLIENT_ASSETS): string[] {
  const files = readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name));
  const texts = files.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const scripts = texts.filter(({ name }) => name.endsWith('.js'));
  const defined = new Set(scripts.flatMap(({ text }) => [...definedIn(text)]));
  const used = new Map<string, { lacking: readonly string[]; files: string[] }>();
  for (const { name, text } of texts)
    for (const [gap, lacking] of name.endsWith('.js') ? scriptGaps(text, defined) : styleGaps(text))
      used.set(gap, { lacking, files: [...(used.get(gap)?.files ?? []), name] });
  const excuses = Object.keys(EXCEPTIONS);
  const isFor = (excuse: string, gap: string) =>
    excuse.endsWith('*') ? gap.startsWith(excuse.slice(0, -1)) : gap === excuse;
  const unexcused = [...used].filter(([gap]) => !excuses.some((excuse) => isFor(excuse, gap)));
  return [
    ...unexcused.map(
      ([gap, { lacking, files }]) => `${gap} is not in ${lacking.join(', ')} of the floor: ${files.join(', ')}`,
    ),
    ...excuses
      .filter((excuse) => ![...used.keys()].some((gap) => isFor(excuse, gap)))
      .map((excuse) => `web/floor.ts excuses ${excuse}, which nothing uses any more`),
  ];
}
