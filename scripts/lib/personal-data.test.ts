import { expect, test } from 'vitest';
import { defineModule } from '../../server/platform/module.ts';
import type { PersonalData } from '../../server/platform/personal-data.ts';
import { checkPersonalData } from './personal-data.ts';

const OWNED = 'create table notes (id uuid, user_id uuid not null);';
const COMPLETE: PersonalData = { inPrivacyPolicyAs: 'account', onAccountDeletion: 'deleted', inExportAs: 'notes' };

function listFaults(personalData: PersonalData, sql = OWNED): string[] {
  return checkPersonalData({
    modules: [defineModule({ name: 'notes', tables: { notes: { grants: 'all', personalData } } })],
    platform: { tables: {}, functions: {}, provides: [] },
    manifests: [
      {
        path: 'server/modules/content/notes/manifest.ts',
        text: "defineModule({\n  tables: {\n    notes: { grants: 'all' },\n",
      },
    ],
    sources: [
      { path: 'server/modules/content/notes/data-export.ts', text: "registerExportPart(ctx, {\n  name: 'notes',\n" },
      { path: 'server/modules/content/notes/old.ts', text: "// registerExportPart(ctx, { name: 'gone' })\n" },
    ],
    migrations: [{ path: '1.sql', text: sql }],
    functions: [],
  });
}

test('accepts complete declarations', () => {
  expect(listFaults(COMPLETE)).toEqual([]);
  expect(listFaults({ none: 'Counts.' }, 'create table notes (id uuid);')).toEqual([]);
});

test('reports file, line and what to add for a table that names an account', () => {
  expect(listFaults({ inPrivacyPolicyAs: 'account' })).toEqual([
    "server/modules/content/notes/manifest.ts:3: table notes names an account in column user_id (1.sql:1); add to its personalData: onAccountDeletion: 'deleted' | { remains: 'why' }, inExportAs: '…' (the name of a registerExportPart) | { notExported: 'why' }",
  ]);
  expect(listFaults({ none: 'Nothing.' })).toEqual([
    expect.stringMatching(
      /add to its personalData instead of none: inPrivacyPolicyAs: .*, onAccountDeletion: .*, inExportAs: /,
    ),
  ]);
});

test('identifies an account by column name or foreign key, and leaves out operators', () => {
  const none = { none: 'Nothing.' };
  expect(listFaults(none, 'create table notes (id uuid, guest uuid references users);')).toHaveLength(1);
  expect(listFaults(none, 'create table notes (id uuid);\nalter table notes add column fan_id uuid;')).toHaveLength(1);
  expect(
    listFaults(
      none,
      'create table notes (id uuid, operator_id uuid references users, ended_by uuid references users);',
    ),
  ).toEqual([]);
  expect(listFaults(none, 'create table notes (id uuid, sender_id text);')).toEqual([]);
});

test('refuses an unneeded declaration, and an export part that no module registers', () => {
  expect(listFaults(COMPLETE, 'create table notes (id uuid);')).toEqual([
    'server/modules/content/notes/manifest.ts:3: table notes names no account; remove onAccountDeletion and inExportAs from its personalData',
  ]);
  expect(listFaults({ ...COMPLETE, inExportAs: 'gone' })).toEqual([
    'server/modules/content/notes/manifest.ts:3: table notes is exported as gone, which no registerExportPart has as its name; there are: notes',
  ]);
});
