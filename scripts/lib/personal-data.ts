/**
 * Checks the personal data declarations of the manifests against the migrations. Each table declares whether it is
 * about users. One that names an account also declares what remains after account deletion and its part of the data
 * export.
 */
import { ACCOUNT_COLUMNS, OPERATOR_COLUMNS, type PersonalData } from '../../server/platform/personal-data.ts';
import type { Codebase } from './codebase.ts';
import { readColumns, type SqlColumn } from './columns.ts';
import { stripComments } from './source-rules.mjs';

const GROUPS = 'PRIVACY_POLICY_GROUPS of server/platform/personal-data.ts';
const EXAMPLES = {
  inPrivacyPolicyAs: `inPrivacyPolicyAs: '…' (one of ${GROUPS})`,
  onAccountDeletion: "onAccountDeletion: 'deleted' | { remains: 'why' }",
  inExportAs: "inExportAs: '…' (the name of a registerExportPart) | { notExported: 'why' }",
} as const;
const KEYS = ['inPrivacyPolicyAs', 'onAccountDeletion', 'inExportAs'] as const;

function listAccountColumns(table: string, columns: ReadonlyMap<string, SqlColumn>): string[] {
  return [...columns].flatMap(([name, { type, references }]) => {
    if (OPERATOR_COLUMNS.test(name)) return [];
    const isAccount =
      (type === 'uuid' && ACCOUNT_COLUMNS.test(name)) || references === 'users' || references === 'creators';
    return isAccount || (table === 'users' && name === 'id') ? [name] : [];
  });
}

function findManifestLine({ manifests }: Pick<Codebase, 'manifests'>, module: string, table: string): string {
  const manifest = manifests.find(({ path }) => path.endsWith(`/${module}/manifest.ts`));
  const path = manifest?.path ?? `${module}/manifest.ts`;
  const lines = manifest?.text.split('\n') ?? [];
  const index = lines.findIndex((line) => new RegExp(String.raw`^\s+(?:tables: \{ )?${table}: \{`).test(line));
  return index < 0 ? path : `${path}:${index + 1}`;
}

const REGISTERED = /\bregisterExportPart\(\s*\w+,\s*\{\s*name:\s*'([\w-]+)'/g;

function listExportParts({ sources }: Codebase): Set<string> {
  return new Set(
    sources.flatMap(({ text }) => [...stripComments(text).matchAll(REGISTERED)].map(([, name = '']) => name)),
  );
}

export function formatPersonalDataExample(table: string, columns: ReadonlyMap<string, SqlColumn> | undefined): string {
  return columns && listAccountColumns(table, columns).length > 0
    ? "{ inPrivacyPolicyAs: '…', onAccountDeletion: 'deleted', inExportAs: '…' }"
    : "{ none: 'why' }";
}

function* listFaults(
  table: string,
  data: Partial<PersonalData> | undefined,
  columns: ReadonlyMap<string, SqlColumn>,
  parts: ReadonlySet<string>,
): Generator<string> {
  const [column] = listAccountColumns(table, columns);
  const missing = KEYS.filter((key) => data?.[key] === undefined);
  if (column !== undefined && missing.length > 0) {
    const lines = missing.map((key) => EXAMPLES[key]).join(', ');
    const instead = data !== undefined && 'none' in data ? ' instead of none' : '';
    yield `table ${table} names an account in column ${column} (${columns.get(column)?.position}); add to its personalData${instead}: ${lines}`;
  }
  if (column === undefined && data === undefined)
    yield `table ${table} does not say whether it is about users; add: personalData: { none: 'why' } or personalData: { ${EXAMPLES.inPrivacyPolicyAs} }`;
  if (column === undefined && (data?.onAccountDeletion !== undefined || data?.inExportAs !== undefined))
    yield `table ${table} names no account; remove onAccountDeletion and inExportAs from its personalData`;
  const part = data?.inExportAs;
  if (typeof part === 'string' && !parts.has(part))
    yield `table ${table} is exported as ${part}, which no registerExportPart has as its name; there are: ${[...parts].sort().join(', ')}`;
}

/** Lists each missing or wrong declaration with file, line and what to add. */
export function checkPersonalData(codebase: Codebase): string[] {
  const columns = readColumns(codebase.migrations);
  const parts = listExportParts(codebase);
  return [{ name: 'platform', ...codebase.platform }, ...codebase.modules].flatMap(({ name: module, tables }) =>
    Object.entries(tables).flatMap(([table, { personalData }]) =>
      [...listFaults(table, personalData, columns.get(table) ?? new Map(), parts)].map(
        (fault) => `${findManifestLine(codebase, module, table)}: ${fault}`,
      ),
    ),
  );
}
