import { describe, expect, test } from 'vitest';
import { defineModule, type ModuleManifest } from '../../server/platform/module.ts';
import { checkModules } from './boundaries.ts';

const MIGRATION = `create table entries (id uuid);
create table sales (id uuid);
create table notes (id uuid);`;
const SUM = 'create or replace function sales_sum() returns int language sql as $$ select count(*) from sales $$;';

const personalData = { none: 'Test.' };

const ledger = defineModule({
  name: 'ledger',
  tables: { entries: { grants: 'read', readers: ['sales'], personalData } },
});
const sales = defineModule({
  name: 'sales',
  dependsOn: ['ledger'],
  tables: { sales: { grants: 'read', personalData } },
  functions: { sales_sum: {} },
});
const notes = defineModule({ name: 'notes', tables: { notes: { grants: 'read', personalData } } });
const READ_CODE = "const text = 'select from entries';\n";

function listProblems(
  changes: {
    modules?: ModuleManifest[];
    sql?: string;
    functions?: Record<string, string>;
    code?: Record<string, string>;
    platform?: string[];
    platformHooks?: string[];
    /** Texts by path. The paths say in which domain a module is. */
    manifests?: Record<string, string>;
  } = {},
): string[] {
  const code: Record<string, string> = { 'sales/store': READ_CODE, ...changes.code };
  const functions: Record<string, string> = { 'sales/sales_sum': SUM, ...changes.functions };
  return checkModules({
    modules: changes.modules ?? [ledger, sales, notes],
    platform: {
      tables: Object.fromEntries(
        (changes.platform ?? []).map((name) => [name, { grants: 'none' as const, personalData }]),
      ),
      functions: {},
      provides: changes.platformHooks ?? [],
    },
    manifests: Object.entries(changes.manifests ?? {}).map(([path, text]) => ({ path, text })),
    sources: Object.entries(code).map(([path, text]) => ({
      path: path.startsWith('server/') ? path : `server/modules/content/${path}.ts`,
      text,
    })),
    migrations: [
      { path: '1.sql', text: MIGRATION },
      { path: '2.sql', text: changes.sql ?? '' },
    ],
    functions: Object.entries(functions).map(([path, text]) => ({ path: `server/functions/${path}.sql`, text })),
  });
}

test('a module may not depend on a module of a higher domain', () => {
  expect(
    listProblems({
      manifests: { 'server/modules/trust/sales/manifest.ts': '', 'server/modules/content/notes/manifest.ts': '' },
    }),
  ).toEqual([]);
  const manifests = { 'server/modules/admin/ledger/manifest.ts': '', 'server/modules/commerce/sales/manifest.ts': '' };
  expect(listProblems({ manifests })).toEqual([
    'sales depends on ledger, whose domain is higher in DOMAINS of scripts/lib/module-folders.ts; offer a hook that ledger registers, or handle an event of it',
  ]);
});

test('a module must be in a known domain', () => {
  expect(listProblems({ manifests: { 'server/modules/extra/notes/manifest.ts': '' } })).toEqual([
    'server/modules/extra/notes/manifest.ts: extra is no domain; add it to DOMAINS of scripts/lib/module-folders.ts, at its level',
  ]);
});

test('a codebase without violations passes', () => {
  expect(listProblems()).toEqual([]);
});

test('only a declared reader that depends on the owner may read another module’s table', () => {
  expect(listProblems({ code: { 'notes/store': '\ndb.selectFrom("entries")' } })).toEqual([
    'server/modules/content/notes/store.ts:2: notes reads entries of ledger, which does not name it as a reader',
  ]);
  expect(listProblems({ modules: [ledger, { ...sales, dependsOn: [] }, notes] })).toEqual([
    'server/modules/content/sales/store.ts:1: sales reads entries of ledger, which does not name it as a reader',
    'ledger names sales as a reader of entries, and it reads nothing there',
  ]);
  expect(
    listProblems({ code: { 'server/pages/frame.ts': READ_CODE, 'server/platform/database/db.ts': READ_CODE } }),
  ).toEqual([
    'server/pages/frame.ts:1: pages reads entries of ledger, which does not name it as a reader',
    'server/platform/database/db.ts:1: platform reads entries of ledger, which does not name it as a reader',
  ]);
});

test('only a declared exception may write another module’s table, in code or in SQL', () => {
  for (const text of [
    "tx.query.insertInto('entries')",
    "tx.query.updateTable(\n'entries as a')",
    "'update entries set x = 1'",
    '`INSERT INTO\n  entries (id)`',
    "'delete from only entries'",
  ])
    expect(listProblems({ code: { 'sales/more': text } }), text).toEqual([
      expect.stringMatching(/: sales writes entries of ledger, which alone writes it$/),
    ]);
  const functions = {
    'sales/sales_sum': `create or replace function sales_sum() returns int language sql as $$ insert into entries values (null); select 1 $$;`,
  };
  expect(listProblems({ functions })).toEqual([
    'server/functions/sales/sales_sum.sql:1 (sales_sum): sales writes entries of ledger, which alone writes it',
  ]);
  const exceptions = [{ module: 'sales', allows: 'write', reason: 'speed' }] as const;
  const open = {
    ...ledger,
    tables: { entries: { grants: 'read' as const, readers: ['sales'], exceptions, personalData } },
  };
  expect(listProblems({ modules: [open, sales, notes], functions })).toEqual([]);
  expect(listProblems({ modules: [open, sales, notes] })).toEqual(['ledger lets sales write entries, and it does not']);
});

test('views, triggers and SQL functions follow the same rules', () => {
  const viewing = {
    ...notes,
    tables: { notes: { grants: 'none' as const, personalData }, noted: { grants: 'none' as const, personalData } },
  };
  expect(
    listProblems({ modules: [ledger, sales, viewing], sql: 'create view noted as select * from entries;' }),
  ).toEqual(['2.sql:1 (noted): notes reads entries of ledger, which does not name it as a reader']);
  const triggering = { ...notes, functions: { note_it: {} } };
  const functions = {
    'notes/note_it': `create or replace function note_it() returns trigger language plpgsql as $$ begin return null; end $$;`,
  };
  const trigger = 'create trigger note_it after insert on sales for each row execute function note_it();';
  expect(listProblems({ modules: [ledger, sales, triggering], sql: trigger, functions })).toEqual([
    '2.sql:1: notes reads sales of sales, which does not name it as a reader',
  ]);
  expect(listProblems({ code: { 'notes/store': "'select sales_sum()'" } })).toEqual([
    'server/modules/content/notes/store.ts:1: notes calls sales_sum of sales, which its dependsOn does not name',
  ]);
  const dependent = { ...notes, dependsOn: ['sales'] };
  expect(
    listProblems({ modules: [ledger, sales, dependent], code: { 'notes/store': "'select sales_sum()'" } }),
  ).toEqual([]);
});

test('each table and function has exactly one owner', () => {
  const stray = 'create or replace function stray() returns int language sql as $$ select 1 $$;';
  expect(listProblems({ sql: 'create table lost (id uuid);', functions: { 'notes/stray': stray } })).toEqual([
    "2.sql:1 makes lost, which no manifest declares; add to tables in server/modules/<domain>/<module>/manifest.ts: lost: { grants: 'all', personalData: { none: 'why' } }",
    'server/functions/notes/stray.sql:1 makes stray, which no manifest declares; add to functions in server/modules/<domain>/<module>/manifest.ts: stray: {}',
  ]);
  expect(listProblems({ sql: 'create table lost (id uuid);', platform: ['lost'] })).toEqual([]);
  expect(listProblems({ platform: ['notes'] })).toEqual(['notes is declared by both platform and notes']);
  expect(listProblems({ sql: 'create table owned (id uuid, user_id uuid);' })).toEqual([
    expect.stringContaining("personalData: { inPrivacyPolicyAs: '…', onAccountDeletion: 'deleted', inExportAs: '…' }"),
  ]);
  expect(listProblems({ sql: 'drop table notes;' })).toEqual([
    'notes declares notes among its tables, and no SQL makes it',
  ]);
});

test('each SQL function has one file with its name in its owner’s folder, not only a body in a migration', () => {
  const making = { ...notes, functions: { note_it: {} } };
  const note = 'create or replace function note_it() returns int language sql as $$ select 1 $$;';
  const modules = [ledger, sales, making];
  expect(listProblems({ modules, functions: { 'notes/note_it': note } })).toEqual([]);
  expect(listProblems({ modules, sql: note })).toEqual([
    '2.sql:1 makes note_it, whose body belongs into server/functions/notes/note_it.sql',
  ]);
  for (const path of ['sales/note_it', 'notes/note'])
    expect(listProblems({ modules, functions: { [path]: note } })).toEqual([
      `server/functions/${path}.sql makes note_it, whose body belongs into server/functions/notes/note_it.sql`,
    ]);
  expect(listProblems({ modules, functions: { 'notes/note_it': note, 'sales/sales_sum': `${SUM}\n${note}` } })).toEqual(
    ['server/functions/sales/sales_sum.sql makes several functions, and has place for one'],
  );
  expect(listProblems({ modules, functions: { 'notes/note_it': note, 'notes/none': '-- Nothing.' } })).toEqual([
    'server/functions/notes/none.sql makes no function, and has place for one',
  ]);
});

test('events and jobs are declared exactly as the code uses them', () => {
  const code = {
    'notes/service': `await tx.emit('note.made', {}); // tx.emit('note.lost')
      ctx.events.addBroadcastHandler('note.made', 'notes.live', () => undefined);
      events.addBroadcastHandler('note.made', 'x'); ctx.events.addJobHandler('sale.made', 'notes.x'); events.addLocalHandler('note.gone', 'y');
      const j = defineJob('notes.sweep', z.object({})); ctx.jobs.schedule('notes.daily', '* * * * *', work);`,
  };
  const full = {
    ...notes,
    emits: ['note.made'],
    handles: ['note.made', 'sale.made', 'note.gone'],
    jobs: ['notes.sweep', 'notes.daily'],
  };
  const emitting = { ...sales, emits: ['sale.made', 'note.gone'] };
  const functions = {
    'sales/sales_sum': `create or replace function sales_sum() returns int language sql as $$
    insert into outbox (type, payload) values ('sale.made', '{}'); insert into outbox as o (type) values ('note.gone'); select 1 $$;`,
  };
  expect(listProblems({ modules: [ledger, emitting, full], code, functions, platform: [] })).toEqual([]);
  expect(listProblems({ code })).toEqual([
    'notes has note.made in its code, and not among its emits',
    'notes has note.made in its code, and not among its handles',
    'notes has sale.made in its code, and not among its handles',
    'notes has note.gone in its code, and not among its handles',
    'notes has notes.sweep in its code, and not among its jobs',
    'notes has notes.daily in its code, and not among its jobs',
  ]);
  expect(listProblems({ modules: [ledger, emitting, full], functions })).toEqual([
    'notes declares note.made among its emits, and its code has none',
    'notes declares note.made among its handles, and its code has none',
    'notes declares sale.made among its handles, and its code has none',
    'notes declares note.gone among its handles, and its code has none',
    'notes declares notes.sweep among its jobs, and its code has none',
    'notes declares notes.daily among its jobs, and its code has none',
  ]);
});

test('an event that no module emits, or whose name is not a literal where it is emitted, is refused', () => {
  const subscribing = { ...notes, handles: ['note.made'] };
  expect(
    listProblems({
      modules: [ledger, sales, subscribing],
      code: { 'notes/live': "events.addBroadcastHandler('note.made', 'x')" },
    }),
  ).toEqual(['notes handles note.made, which no module emits']);
  expect(listProblems({ code: { 'notes/live': 'await tx.emit(type, {})' } })).toEqual([
    'server/modules/content/notes/live.ts emits an event that it does not name where it does',
  ]);
});

describe('hooks', () => {
  const code = {
    'ledger/checks': `/** defineHook<Check>('ledger.gone') */
const checks = defineKeyedHook<Check, 'a' | 'b'>('ledger.nightCheck');
export const registerNightCheck = checks.register;`,
    'ledger/limits': `const limit = defineHook<(db: Executor) => number>('ledger.limit');
export function registerLimit(ctx: Context, loadLimit: LoadLimit): void { limit.register(ctx, loadLimit); }`,
    'sales/routes': "\n// registerLimit(ctx);\nregisterNightCheck(ctx, 'sales', check);",
    'notes/routes': 'registerLimit(ctx, getLimit);',
    'server/platform/session': `export const hook = defineHook<Find>('platform.finder');
export const registerFinder = hook.register;`,
    'notes/finder': 'registerFinder(ctx, find);',
  };
  const owner = { ...ledger, provides: ['ledger.nightCheck', 'ledger.limit'] };
  const implementing = { ...sales, implements: ['ledger.nightCheck'] };
  const other = { ...notes, dependsOn: ['ledger'], implements: ['ledger.limit', 'platform.finder'] };
  const usingLedger = { 'notes/service': "import { registerLimit } from '../ledger/index.ts';" };
  const full = {
    modules: [owner, implementing, other],
    platformHooks: ['platform.finder'],
    code: { ...code, ...usingLedger },
  };

  test('pass where the owner provides them and the modules that register them implement them', () => {
    expect(listProblems(full)).toEqual([]);
  });

  test('that a manifest does not name are reported with the line to add', () => {
    const manifests = {
      'server/modules/content/ledger/manifest.ts': "\ndefineModule({\n  name: 'ledger',\n});",
      'server/modules/content/sales/manifest.ts': "\ndefineModule({ name: 'sales' });",
      'server/modules/content/notes/manifest.ts': "\ndefineModule({\n  name: 'notes',\n  implements: [],\n});",
      'server/platform/manifest.ts': 'export const manifest: PlatformManifest = {\n  provides: [],\n};',
    };
    const modules = [ledger, sales, { ...notes, dependsOn: ['ledger'] }];
    expect(listProblems({ ...full, modules, platformHooks: [], manifests })).toEqual([
      "server/modules/content/ledger/checks.ts:2: ledger provides the hook ledger.nightCheck; add provides: ['ledger.nightCheck'], after server/modules/content/ledger/manifest.ts:3",
      "server/modules/content/ledger/limits.ts:1: ledger provides the hook ledger.limit; add provides: ['ledger.limit'], after server/modules/content/ledger/manifest.ts:3",
      "server/platform/session:1: platform provides the hook platform.finder; add 'platform.finder' to provides in server/platform/manifest.ts:2",
      "server/modules/content/sales/routes.ts:3: sales implements the hook ledger.nightCheck; add implements: ['ledger.nightCheck'], after server/modules/content/sales/manifest.ts:2",
      "server/modules/content/notes/routes.ts:1: notes implements the hook ledger.limit; add 'ledger.limit' to implements in server/modules/content/notes/manifest.ts:4",
      "server/modules/content/notes/finder.ts:1: notes implements the hook platform.finder; add 'platform.finder' to implements in server/modules/content/notes/manifest.ts:4",
    ]);
  });

  test('that a manifest names and the code does not have are refused', () => {
    const modules = [
      { ...owner, provides: [...owner.provides, 'ledger.gone'] },
      { ...implementing, implements: ['ledger.nightCheck', 'ledger.limit', 'ledger.lost'] },
      other,
    ];
    expect(listProblems({ ...full, modules })).toEqual([
      "server/modules/<domain>/ledger/manifest.ts:1: ledger provides ledger.gone, and its code has no defineHook('ledger.gone')",
      'server/modules/<domain>/sales/manifest.ts:1: sales implements ledger.limit, and its code does not call registerLimit',
      'server/modules/<domain>/sales/manifest.ts:1: sales implements ledger.lost, which no module provides',
    ]);
  });

  test('of a module may only be implemented by modules that depend on it', () => {
    expect(listProblems({ ...full, code, modules: [owner, implementing, { ...other, dependsOn: [] }] })).toEqual([
      'server/modules/<domain>/notes/manifest.ts:1: notes implements ledger.limit of ledger, which its dependsOn does not name',
    ]);
  });

  test('have the name of their module, a register function of their own and an implementation', () => {
    const faulty = {
      'notes/hooks': `const limit = defineHook<Limit>('sales.limit');
const colors = defineKeyedHook<Color>('notes.color');
export const registerLimit = limit.register;`,
    };
    const providing = { ...notes, provides: ['sales.limit', 'notes.color'] };
    expect(
      listProblems({ modules: [ledger, sales, providing], code: { ...faulty, 'sales/more': 'registerLimit(ctx)' } }),
    ).toEqual([
      'server/modules/content/notes/hooks.ts:1: the name of the hook sales.limit must be notes.<name>',
      'server/modules/content/notes/hooks.ts:2: notes.color cannot be registered; export const registerColor = <hook>.register',
      'server/modules/content/notes/hooks.ts:2: no module implements the hook notes.color; delete it, or call registerColor',
      expect.stringMatching(/: sales implements the hook sales.limit; add/),
    ]);
    const twice = {
      'ledger/limits': "const limit = defineHook<Limit>('ledger.limit'); export const registerLimit = limit.register;",
      'sales/limits': "const limit = defineHook<Limit>('sales.limit'); export const registerLimit = limit.register;",
    };
    expect(listProblems({ code: twice })[0]).toBe(
      'server/modules/content/ledger/limits.ts:1: ledger.limit and sales.limit are both registered by registerLimit',
    );
  });
});

test('a dependency that a module neither calls nor reads is refused', () => {
  const dependent = { ...notes, dependsOn: ['ledger'] };
  expect(listProblems({ modules: [ledger, sales, dependent] })).toEqual([
    'notes names ledger under dependsOn, and neither calls nor reads it',
  ]);
  const code = { 'notes/service': "import { post } from '../ledger/index.ts';" };
  expect(listProblems({ modules: [ledger, sales, dependent], code })).toEqual([]);
});
