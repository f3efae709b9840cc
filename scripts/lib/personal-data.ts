/**
 * Checks the personal data declarations of the manifests against the migrations. Each table declares whether it is
 * about users. One that names an account also declares what remains after account deletion and its part of the data
 * export.
 */
import { ACCOUNT_COLUMNS, OPERATOR_COLUMNS, type PersonalData } from '../../server/kernel/personal-data.ts';
import { type Column, readColumns } from './columns.ts';
import { withoutComments } from './source-rules.mjs';
import type { House } from './walls.ts';

const GROUPS = 'PRIVACY_POLICY_GROUPS of server/kernel/personal-data.ts';
const EXAMPLES = {
  inPrivacyPolicyAs: `inPrivacyPolicyAs: '…' (one of ${GROUPS})`,
  onAccountDeletion: "onAccountDeletion: 'deleted' | { remains: 'why' }",
  inExportAs: "inExportAs: '…' (the name of a registerArchivePart) | { notExported: 'why' }",
} as const;
const KEYS = ['inPrivacyPolicyAs', 'onAccountDeletion', 'inExportAs'] as const;

function accountColumns(table: string, columns: ReadonlyMap<string, Column>): string[] {
  return [...columns].flatMap(([name, { type, references }]) => {
    if (OPERATOR_COLUMNS.test(name)) return [];
    const isAccount =
      (type === 'uuid' && ACCOUNT_COLUMNS.test(name)) || references === 'users' || references === 'creators';
    return isAccount || (table === 'users' && name === 'id') ? [name] : [];
  });
}

function manifestLine({ manifests }: Pick<House, 'manifests'>, module: string, table: string): string {
  const path = module === 'kernel' ? 'server/kernel/manifest.ts' : `server/features/${module}/manifest.ts`;
  const lines = manifests.find((source) => source.path === path)?.text.split('\n') ?? [];
  const index = lines.findIndex((line) => new RegExp(String.raw`^\s+(?:tables: \{ )?${table}: \{`).test(line));
  return index < 0 ? path : `${path}:${index + 1}`;
}

const REGISTERED = /\bregisterArchivePart\(\s*\w+,\s*\{\s*name:\s*'([\w-]+)'/g;

function exportParts({ sources }: House): Set<string> {
  return new Set(
    sources.flatMap(({ text }) => [...withoutComments(text).matchAll(REGISTERED)].map(([, name = '']) => name)),
  );
}

export function personalDataExample(table: string, columns: ReadonlyMap<string, Column> | undefined): string {
  return columns && accountColumns(table, columns).length > 0
    ? "{ inPrivacyPolicyAs: '…', onAccountDeletion: 'deleted', inExportAs: '…' }"
    : "{ none: 'why' }";
}

function* faultsOf(
  table: string,
  data: Partial<PersonalData> | undefined,
  columns: ReadonlyMap<string, Column>,
  parts: ReadonlySet<string>,
): Generator<string> {
  const [column] = accountColumns(table, columns);
  const missing = KEYS.filter((key) => data?.[key] === undefined);
  if (column !== undefined && missing.length > 0) {
    const lines = missing.map((key) => EXAMPLES[key]).join(', ');
    const instead = data !== undefined && 'none' in data ? ' instead of none' : '';
    yield `table ${table} names an account in column ${column} (${columns.get(column)?.where}); add to its personalData${instead}: ${lines}`;
  }
  if (column === undefined && data === undefined)
    yield `table ${table} does not say whether it is about users; add: personalData: { none: 'why' } or personalData: { ${EXAMPLES.inPrivacyPolicyAs} }`;
  if (column === undefined && (data?.onAccountDeletion !== undefined || data?.inExportAs !== undefined))
    yield `table ${table} names no account; remove onAccountDeletion and inExportAs from its personalData`;
  const part = data?.inExportAs;
  if (typeof part === 'string' && !parts.has(part))
    yield `table ${table} is exported as ${part}, which no registerArchivePart has as its name; there are: ${[...parts].sort().join(', ')}`;
}

/** Lists each missing or wrong declaration with file, line and what to add. */
export function checkPersonalData(house: House): string[] {
  const columns = readColumns(house.migrations);
  const parts = exportParts(house);
  return [{ name: 'kernel', ...house.kernel }, ...house.rooms].flatMap(({ name: module, tables }) =>
    Object.entries(tables).flatMap(([table, { personalData }]) =>
      [...faultsOf(table, personalData, columns.get(table) ?? new Map(), parts)].map(
        (fault) => `${manifestLine(house, module, table)}: ${fault}`,
      ),
    ),
  );
}
