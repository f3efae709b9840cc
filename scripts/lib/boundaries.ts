/**
 * Checks code and SQL against the manifests of the modules: access to tables, calls of SQL functions, events, jobs and
 * hooks. An unneeded declaration is a violation too, so that the manifests stay accurate.
 */
import type { BoundaryException, SharedAccess } from '../../server/platform/module.ts';
import type { Codebase } from './codebase.ts';
import { readColumns } from './columns.ts';
import { checkHooks } from './hooks.ts';
import { DOMAINS, toModuleName } from './module-folders.ts';
import { checkPersonalData, formatPersonalDataExample } from './personal-data.ts';
import { stripComments } from './source-rules.mjs';
import { getFunctionBody, listSqlAccesses, readSchema, type Schema, type SqlAccess } from './sql.ts';
import { listFileAccesses } from './sql-extract.ts';

const PLATFORM = 'platform';
/** All modules insert events into this table. `emits` declares which. */
const OUTBOX = 'outbox';
const VERBS = { reads: 'read', writes: 'write', calls: 'call' } as const;
const REASONS = {
  reads: 'which does not name it as a reader',
  writes: 'which alone writes it',
  calls: 'which its dependsOn does not name',
} as const;

type CodeAccess = Pick<SqlAccess, 'how' | 'name'> & { readonly actor: string; readonly position: string };

/**
 * The owners of all tables or functions by name. Reports those with two owners, with none, and those that do not exist.
 */
function collectOwners(
  codebase: Codebase,
  schema: Schema,
  kind: 'tables' | 'functions',
  report: (breach: string) => void,
) {
  const owners = new Map<string, { owner: string; shared: SharedAccess }>();
  for (const { name: owner, [kind]: declared } of [{ name: PLATFORM, ...codebase.platform }, ...codebase.modules]) {
    for (const [name, shared] of Object.entries(declared)) {
      const other = owners.get(name);
      if (other) report(`${name} is declared by both ${other.owner} and ${owner}`);
      else if (!schema[kind].has(name)) report(`${owner} declares ${name} among its ${kind}, and no SQL makes it`);
      owners.set(name, { owner, shared });
    }
  }
  const columns = readColumns(codebase.migrations);
  for (const [name, { position }] of schema[kind]) {
    if (owners.has(name)) continue;
    const line =
      kind === 'tables'
        ? `{ grants: 'all', personalData: ${formatPersonalDataExample(name, columns.get(name))} }`
        : '{}';
    report(
      `${position} makes ${name}, which no manifest declares; add to ${kind} in server/modules/<domain>/<module>/manifest.ts: ${name}: ${line}`,
    );
  }
  return owners;
}

function* listCodeAccesses({ sources }: Codebase): Generator<CodeAccess> {
  for (const { path, text } of sources)
    for (const { how, name, line } of listFileAccesses(path, text))
      yield { how, name, actor: toModuleName(path), position: `${path}:${line}` };
}

function* listSchemaAccesses(schema: Schema, findOwner: (name: string) => string | undefined): Generator<CodeAccess> {
  for (const [name, sqlObject] of [...schema.functions, ...schema.tables]) {
    const actor = findOwner(name);
    if (actor === undefined || /^create\s+(?:unlogged\s+)?table/i.test(sqlObject.text)) continue;
    for (const access of listSqlAccesses(getFunctionBody(sqlObject)))
      if (access.name !== name)
        yield { how: access.how, name: access.name, actor, position: `${sqlObject.position} (${name})` };
  }
  for (const { position, table, runs } of schema.triggers.values()) {
    const actor = findOwner(runs);
    if (actor !== undefined) yield { how: 'reads', name: table, actor, position };
  }
}

/** Each function has one file with its name in its owner's folder. Bodies in migrations may be outdated. */
function checkFunctionFiles(
  codebase: Codebase,
  schema: Schema,
  owners: ReadonlyMap<string, { owner: string }>,
  report: (breach: string) => void,
): void {
  const getFunctionPath = (name: string) => `server/functions/${owners.get(name)?.owner ?? '…'}/${name}.sql`;
  for (const { path, text } of codebase.functions.filter((file) => !file.path.endsWith('_triggers.sql'))) {
    const [name, ...more] = readSchema([{ path, text }]).functions.keys();
    if (name === undefined || more.length > 0)
      report(`${path} makes ${name ? 'several functions' : 'no function'}, and has place for one`);
    else if (owners.has(name) && path !== getFunctionPath(name))
      report(`${path} makes ${name}, whose body belongs into ${getFunctionPath(name)}`);
  }
  const filedFunctions = readSchema(codebase.functions).functions;
  for (const [name, { position }] of schema.functions)
    if (owners.has(name) && !filedFunctions.has(name))
      report(`${position} makes ${name}, whose body belongs into ${getFunctionPath(name)}`);
}

function checkAccess(
  codebase: Codebase,
  schema: Schema,
  used: Map<string, Set<string>>,
  report: (breach: string) => void,
): void {
  const tables = collectOwners(codebase, schema, 'tables', report);
  const functions = collectOwners(codebase, schema, 'functions', report);
  checkFunctionFiles(codebase, schema, functions, report);
  const dependencies = new Map(codebase.modules.map(({ name, dependsOn }) => [name, dependsOn]));
  const needed = new Set<BoundaryException | string>();

  const check = ({ how, name, actor, position }: CodeAccess): void => {
    const target = (how === 'calls' ? functions : tables).get(name);
    if (!target || target.owner === actor || (name === OUTBOX && how === 'writes')) return;
    const { owner, shared } = target;
    used.get(actor)?.add(owner);
    const isOpen = owner === PLATFORM || !dependencies.has(actor) || dependencies.get(actor)?.includes(owner);
    if (how === 'calls' && isOpen) return;
    if (how === 'reads' && isOpen && shared.readers?.includes(actor)) return void needed.add(`${actor} ${name}`);
    const ownExceptions = shared.exceptions?.filter((one) => one.module === actor) ?? [];
    const exception =
      ownExceptions.find((one) => one.allows === VERBS[how]) ??
      (how === 'reads' ? ownExceptions.find((one) => one.allows === 'write') : undefined);
    if (exception) return void needed.add(exception);
    report(`${position}: ${actor} ${how} ${name} of ${owner}, ${REASONS[how]}`);
  };
  for (const access of listCodeAccesses(codebase)) check(access);
  for (const access of listSchemaAccesses(schema, (name) => (functions.get(name) ?? tables.get(name))?.owner))
    check(access);

  for (const [name, { owner, shared }] of [...tables, ...functions]) {
    for (const reader of shared.readers ?? [])
      if (!needed.has(`${reader} ${name}`))
        report(`${owner} names ${reader} as a reader of ${name}, and it reads nothing there`);
    for (const one of shared.exceptions ?? [])
      if (!needed.has(one)) report(`${owner} lets ${one.module} ${one.allows} ${name}, and it does not`);
  }
}

const EMITS = /\.emit\(\s*['"`](\w+\.\w+)['"`]/g;
const EMITS_UNNAMED = /\btx\.emit\((?!\s*['"`]\w+\.\w+['"`])/g;
const EMITS_BY_SQL = /insert\s+into\s+outbox\b[^;]*?'(\w+\.\w+)'/gi;
const HANDLES =
  /(?:\bevents\.add(?:Broadcast|Job|BatchJob|Local)Handler|\bonDomainEvent(?:ForFollowers)?)\(\s*['"`](\w+\.\w+)['"`]/g;
const JOBS = /(?:(?<![\w.])defineJob|\bjobs\.schedule)\(\s*['"`]([\w.-]+)['"`]/g;

const matchNames = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

function checkEventsAndJobs(codebase: Codebase, schema: Schema, report: (breach: string) => void): void {
  const emitted = new Set(codebase.modules.flatMap(({ emits }) => emits));
  for (const module of codebase.modules) {
    const code = codebase.sources
      .filter(({ path }) => toModuleName(path) === module.name)
      .map(({ path, text }) => ({ path, text: stripComments(text) }));
    const text = code.map((source) => source.text).join('\n');
    const bodies = Object.keys(module.functions).flatMap((name) => schema.functions.get(name) ?? []);
    const sql = bodies.map(getFunctionBody).join(';\n');
    const actual = {
      emits: [...matchNames(text, EMITS), ...matchNames(text, EMITS_BY_SQL), ...matchNames(sql, EMITS_BY_SQL)],
      handles: matchNames(text, HANDLES),
      jobs: matchNames(text, JOBS),
    };
    for (const kind of ['emits', 'handles', 'jobs'] as const) {
      for (const name of new Set(actual[kind]))
        if (!module[kind].includes(name)) report(`${module.name} has ${name} in its code, and not among its ${kind}`);
      for (const name of module[kind])
        if (!actual[kind].includes(name))
          report(`${module.name} declares ${name} among its ${kind}, and its code has none`);
    }
    for (const name of module.handles)
      if (!emitted.has(name)) report(`${module.name} handles ${name}, which no module emits`);
    for (const { path, text: one } of code)
      if (one.search(EMITS_UNNAMED) >= 0) report(`${path} emits an event that it does not name where it does`);
  }
}

const DOMAIN_NAMES: readonly string[] = DOMAINS;

const IMPORTED_MODULE = /['"](?:\.\.\/)+(?:[\w-]+\/)?([\w-]+)\/index\.ts['"]/g;

/** A module may only depend on modules of its own domain and of lower ones. */
function checkDomains({ modules, manifests }: Codebase, report: (breach: string) => void): void {
  for (const { path } of manifests) {
    const [, domain] = /^server\/modules\/([^/]+)\//.exec(path) ?? [];
    if (domain !== undefined && !DOMAIN_NAMES.includes(domain))
      report(`${path}: ${domain} is no domain; add it to DOMAINS of scripts/lib/module-folders.ts, at its level`);
  }
  const levels = new Map(
    manifests.map(({ path }) => {
      const [, domain, name = path] = /^server\/modules\/([^/]+)\/([^/]+)\//.exec(path) ?? [];
      return [name, DOMAIN_NAMES.indexOf(domain ?? '')];
    }),
  );
  const getLevel = (name: string) => levels.get(name) ?? -1;
  for (const { name, dependsOn } of modules)
    for (const other of dependsOn)
      if (getLevel(other) > getLevel(name))
        report(
          `${name} depends on ${other}, whose domain is higher in DOMAINS of scripts/lib/module-folders.ts; offer a hook that ${other} registers, or handle an event of it`,
        );
}

export function checkModules(codebase: Codebase): string[] {
  const breaches: string[] = [];
  const report = (breach: string) => void breaches.push(breach);
  const schema = readSchema([...codebase.migrations, ...codebase.functions]);
  const used = new Map(codebase.modules.map(({ name }) => [name, new Set<string>()]));
  for (const { path, text } of codebase.sources)
    for (const name of matchNames(text, IMPORTED_MODULE)) used.get(toModuleName(path))?.add(name);
  checkDomains(codebase, report);
  checkAccess(codebase, schema, used, report);
  checkEventsAndJobs(codebase, schema, report);
  breaches.push(...checkHooks(codebase), ...checkPersonalData(codebase));
  for (const { name, dependsOn } of codebase.modules)
    for (const other of dependsOn)
      if (!used.get(name)?.has(other)) report(`${name} names ${other} under dependsOn, and neither calls nor reads it`);
  return breaches;
}
