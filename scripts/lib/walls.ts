/**
 * Checks code and SQL against the manifests of the modules: access to tables, calls of SQL functions, events and jobs.
 * An unneeded declaration is a violation too, so that the manifests stay accurate.
 */
import type { Exception, Holdings, Manifest, Shared } from '../../server/kernel/room.ts';
import { readColumns } from './columns.ts';
import { checkPersonalData, personalDataExample } from './personal-data.ts';
import { withoutComments } from './source-rules.mjs';
import { bodyOf, readSchema, type Schema, type Touch, touchesOf } from './sql.ts';
import { saidBy } from './statements.ts';

export type Source = { readonly path: string; readonly text: string };
export type House = {
  readonly rooms: readonly Manifest[];
  readonly kernel: Holdings;
  readonly manifests: readonly Source[];
  readonly sources: readonly Source[];
  /** In the order in which they run. */
  readonly migrations: readonly Source[];
  /** `server/functions/<module>/<function>.sql`: the current body of each. */
  readonly functions: readonly Source[];
};

const KERNEL = 'kernel';
/** All modules insert events into this table. `emits` declares which. */
const OUTBOX = 'outbox';
const VERBS = { reads: 'read', writes: 'write', calls: 'call' } as const;
const FAULTS = {
  reads: 'which does not name it as a reader',
  writes: 'which alone writes it',
  calls: 'on which it does not stand',
} as const;

type Done = Pick<Touch, 'how' | 'name'> & { readonly by: string; readonly where: string };

function actorOf(path: string): string {
  const [, , room, part] = /^server\/(features\/([^/]+)\/|([^/.]+))/.exec(path) ?? [];
  return room ?? part ?? 'server';
}

/**
 * The owners of all tables or functions by name. Reports those with two owners, with none, and those that do not exist.
 */
function ownersOf(house: House, schema: Schema, kind: 'tables' | 'functions', tell: (breach: string) => void) {
  const owners = new Map<string, { owner: string; shared: Shared }>();
  for (const { name: owner, [kind]: held } of [{ name: KERNEL, ...house.kernel }, ...house.rooms]) {
    for (const [name, shared] of Object.entries(held)) {
      const other = owners.get(name);
      if (other) tell(`${name} is declared by both ${other.owner} and ${owner}`);
      else if (!schema[kind].has(name)) tell(`${owner} declares ${name} among its ${kind}, and no SQL makes it`);
      owners.set(name, { owner, shared });
    }
  }
  const columns = readColumns(house.migrations);
  for (const [name, { where }] of schema[kind]) {
    if (owners.has(name)) continue;
    const line =
      kind === 'tables' ? `{ rows: 'all', personalData: ${personalDataExample(name, columns.get(name))} }` : '{}';
    tell(
      `${where} makes ${name}, which no manifest declares; add to ${kind} in server/features/<module>/manifest.ts: ${name}: ${line}`,
    );
  }
  return owners;
}

function* codeTouches({ sources }: House): Generator<Done> {
  for (const { path, text } of sources)
    for (const { how, name, line } of saidBy(path, text))
      yield { how, name, by: actorOf(path), where: `${path}:${line}` };
}

function* schemaTouches(schema: Schema, ownerOf: (name: string) => string | undefined): Generator<Done> {
  for (const [name, made] of [...schema.functions, ...schema.tables]) {
    const by = ownerOf(name);
    if (by === undefined || /^create\s+(?:unlogged\s+)?table/i.test(made.text)) continue;
    for (const touch of touchesOf(bodyOf(made)))
      if (touch.name !== name) yield { how: touch.how, name: touch.name, by, where: `${made.where} (${name})` };
  }
  for (const { where, table, runs } of schema.triggers.values()) {
    const by = ownerOf(runs);
    if (by !== undefined) yield { how: 'reads', name: table, by, where };
  }
}

/** Each function has one file with its name in its owner's folder. Bodies in migrations may be outdated. */
function checkPlaces(
  house: House,
  schema: Schema,
  owners: ReadonlyMap<string, { owner: string }>,
  tell: (breach: string) => void,
): void {
  const placeOf = (name: string) => `server/functions/${owners.get(name)?.owner ?? '…'}/${name}.sql`;
  for (const { path, text } of house.functions) {
    const [name, ...more] = readSchema([{ path, text }]).functions.keys();
    if (name === undefined || more.length > 0)
      tell(`${path} makes ${name ? 'several functions' : 'no function'}, and has place for one`);
    else if (owners.has(name) && path !== placeOf(name))
      tell(`${path} makes ${name}, whose body belongs into ${placeOf(name)}`);
  }
  const filed = readSchema(house.functions).functions;
  for (const [name, { where }] of schema.functions)
    if (owners.has(name) && !filed.has(name)) tell(`${where} makes ${name}, whose body belongs into ${placeOf(name)}`);
}

function checkWalls(
  house: House,
  schema: Schema,
  used: Map<string, Set<string>>,
  tell: (breach: string) => void,
): void {
  const tables = ownersOf(house, schema, 'tables', tell);
  const functions = ownersOf(house, schema, 'functions', tell);
  checkPlaces(house, schema, functions, tell);
  const aboveOf = new Map(house.rooms.map(({ name, above }) => [name, above]));
  const needed = new Set<Exception | string>();

  const check = ({ how, name, by, where }: Done): void => {
    const held = (how === 'calls' ? functions : tables).get(name);
    if (!held || held.owner === by || (name === OUTBOX && how === 'writes')) return;
    const { owner, shared } = held;
    used.get(by)?.add(owner);
    const isOpen = owner === KERNEL || !aboveOf.has(by) || aboveOf.get(by)?.includes(owner);
    if (how === 'calls' && isOpen) return;
    if (how === 'reads' && isOpen && shared.readers?.includes(by)) return void needed.add(`${by} ${name}`);
    const may = shared.exceptions?.filter((one) => one.room === by) ?? [];
    const found =
      may.find((one) => one.may === VERBS[how]) ??
      (how === 'reads' ? may.find((one) => one.may === 'write') : undefined);
    if (found) return void needed.add(found);
    tell(`${where}: ${by} ${how} ${name} of ${owner}, ${FAULTS[how]}`);
  };
  for (const done of codeTouches(house)) check(done);
  for (const done of schemaTouches(schema, (name) => (functions.get(name) ?? tables.get(name))?.owner)) check(done);

  for (const [name, { owner, shared }] of [...tables, ...functions]) {
    for (const reader of shared.readers ?? [])
      if (!needed.has(`${reader} ${name}`))
        tell(`${owner} names ${reader} as a reader of ${name}, and it reads nothing there`);
    for (const one of shared.exceptions ?? [])
      if (!needed.has(one)) tell(`${owner} lets ${one.room} ${one.may} ${name}, and it does not`);
  }
}

const EMITS = /\.emit\(\s*['"`](\w+\.\w+)['"`]/g;
const EMITS_UNNAMED = /\btx\.emit\((?!\s*['"`]\w+\.\w+['"`])/g;
const EMITS_BY_SQL = /insert\s+into\s+outbox\b[^;]*?'(\w+\.\w+)'/gi;
const HEARS = /\bevents\.(?:on|toFollowers|tell|do|doTogether|everywhere)\(\s*['"`](\w+\.\w+)['"`]/g;
const JOBS = /(?:(?<![\w.])job|\bjobs\.schedule)\(\s*['"`]([\w.-]+)['"`]/g;

const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

function checkDeclared(house: House, schema: Schema, tell: (breach: string) => void): void {
  const told = new Set(house.rooms.flatMap(({ emits }) => emits));
  for (const room of house.rooms) {
    const code = house.sources
      .filter(({ path }) => actorOf(path) === room.name)
      .map(({ path, text }) => ({ path, text: withoutComments(text) }));
    const text = code.map((source) => source.text).join('\n');
    const bodies = Object.keys(room.functions).flatMap((name) => schema.functions.get(name) ?? []);
    const sql = bodies.map(bodyOf).join(';\n');
    const done = {
      emits: [...named(text, EMITS), ...named(text, EMITS_BY_SQL), ...named(sql, EMITS_BY_SQL)],
      hears: named(text, HEARS),
      jobs: named(text, JOBS),
    };
    for (const kind of ['emits', 'hears', 'jobs'] as const) {
      for (const name of new Set(done[kind]))
        if (!room[kind].includes(name)) tell(`${room.name} has ${name} in its code, and not among its ${kind}`);
      for (const name of room[kind])
        if (!done[kind].includes(name)) tell(`${room.name} declares ${name} among its ${kind}, and its code has none`);
    }
    for (const name of room.hears) if (!told.has(name)) tell(`${room.name} hears ${name}, which no room emits`);
    for (const { path, text: one } of code)
      if (one.search(EMITS_UNNAMED) >= 0) tell(`${path} emits an event that it does not name where it does`);
  }
}

const ENTERED = /['"](?:\.\.\/)+([\w-]+)\/index\.ts['"]/g;

export function checkHouse(house: House): string[] {
  const breaches: string[] = [];
  const tell = (breach: string) => void breaches.push(breach);
  const schema = readSchema([...house.migrations, ...house.functions]);
  const used = new Map(house.rooms.map(({ name }) => [name, new Set<string>()]));
  for (const { path, text } of house.sources)
    for (const name of named(text, ENTERED)) used.get(actorOf(path))?.add(name);
  checkWalls(house, schema, used, tell);
  checkDeclared(house, schema, tell);
  breaches.push(...checkPersonalData(house));
  for (const { name, above } of house.rooms)
    for (const other of above)
      if (!used.get(name)?.has(other)) tell(`${name} says that it stands on ${other}, and neither calls nor reads it`);
  return breaches;
}
