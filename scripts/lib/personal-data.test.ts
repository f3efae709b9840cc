import { expect, test } from 'vitest';
import type { PersonalData } from '../../server/kernel/personal-data.ts';
import { defineRoom } from '../../server/kernel/room.ts';
import { checkPersonalData } from './personal-data.ts';

const OWNED = 'create table notes (id uuid, user_id uuid not null);';
const COMPLETE: PersonalData = { inPrivacyPolicyAs: 'account', onAccountDeletion: 'deleted', inExportAs: 'notes' };

function faults(personalData: PersonalData, sql = OWNED): string[] {
  return checkPersonalData({
    rooms: [defineRoom({ name: 'notes', tables: { notes: { rows: 'all', personalData } } })],
    kernel: { tables: {}, functions: {} },
    manifests: [
      { path: 'server/features/notes/manifest.ts', text: "defineRoom({\n  tables: {\n    notes: { rows: 'all' },\n" },
    ],
    sources: [
      { path: 'server/features/notes/archive.ts', text: "registerArchivePart(ctx, {\n  name: 'notes',\n" },
      { path: 'server/features/notes/old.ts', text: "// registerArchivePart(ctx, { name: 'gone' })\n" },
    ],
    migrations: [{ path: '1.sql', text: sql }],
    functions: [],
  });
}

test('accepts complete declarations', () => {
  expect(faults(COMPLETE)).toEqual([]);
  expect(faults({ none: 'Counts.' }, 'create table notes (id uuid);')).toEqual([]);
});

test('reports file, line and what to add for a table that names an account', () => {
  expect(faults({ inPrivacyPolicyAs: 'account' })).toEqual([
    "server/features/notes/manifest.ts:3: table notes names an account in column user_id (1.sql:1); add to its personalData: onAccountDeletion: 'deleted' | { remains: 'why' }, inExportAs: '…' (the name of a registerArchivePart) | { notExported: 'why' }",
  ]);
  expect(faults({ none: 'Nothing.' })).toEqual([
    expect.stringMatching(
      /add to its personalData instead of none: inPrivacyPolicyAs: .*, onAccountDeletion: .*, inExportAs: /,
    ),
  ]);
});

test('identifies an account by column name or foreign key, and leaves out operators', () => {
  const none = { none: 'Nothing.' };
  expect(faults(none, 'create table notes (id uuid, guest uuid references users);')).toHaveLength(1);
  expect(faults(none, 'create table notes (id uuid);\nalter table notes add column fan_id uuid;')).toHaveLength(1);
  expect(
    faults(none, 'create table notes (id uuid, operator_id uuid references users, ended_by uuid references users);'),
  ).toEqual([]);
  expect(faults(none, 'create table notes (id uuid, sender_id text);')).toEqual([]);
});

test('refuses an unneeded declaration, and an export part that no module registers', () => {
  expect(faults(COMPLETE, 'create table notes (id uuid);')).toEqual([
    'server/features/notes/manifest.ts:3: table notes names no account; remove onAccountDeletion and inExportAs from its personalData',
  ]);
  expect(faults({ ...COMPLETE, inExportAs: 'gone' })).toEqual([
    'server/features/notes/manifest.ts:3: table notes is exported as gone, which no registerArchivePart has as its name; there are: notes',
  ]);
});
