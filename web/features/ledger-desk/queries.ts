import { PAGE_SIZES } from '@stagedoor/contract/atoms/paging.ts';
import { auditChain, auditWords, listAudit } from '@stagedoor/contract/audit.ts';
import {
  ledgerReconciliation,
  ledgerStatement,
  listAlarms,
  listLedgerAccounts,
  readLedgerTransaction,
  searchLedger,
} from '@stagedoor/contract/ledger-desk.ts';
import { MONEY_KINDS } from '@stagedoor/contract/money-kinds.ts';
import { dayIn, oneOf } from '../../kernel/address.ts';
import { apiInfiniteQuery, apiQuery } from '../../kernel/query.ts';

const LIMIT = PAGE_SIZES[1];
export const KIND_OPTIONS = Object.entries(MONEY_KINDS).map(([value, { title }]) => ({ value, label: title }));

function sumIn(search: URLSearchParams): number | undefined {
  const text = (search.get('sum') ?? '')
    .trim()
    .replace(/^\$\s*/, '')
    .replaceAll(',', '');
  return /^\d{1,9}(?:\.\d{1,2})?$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

/** Drops an end date before the start date. */
function daysIn(search: URLSearchParams) {
  const [from, to] = [dayIn(search, 'from'), dayIn(search, 'to')];
  return { ...(from && { from }), ...(to && (!from || from <= to) && { to }) };
}

export function ledgerFilters(search: URLSearchParams) {
  const q = search.get('q')?.trim().slice(0, 200);
  const kind = oneOf(Object.keys(MONEY_KINDS), search.get('kind'));
  const sum = sumIn(search);
  return { ...(q && { q }), ...(kind && { kind }), ...(sum !== undefined && { sum }), ...daysIn(search) };
}
export type LedgerFilters = ReturnType<typeof ledgerFilters>;

export const searchQuery = (filters: LedgerFilters) =>
  apiInfiniteQuery(searchLedger, { query: { ...filters, limit: LIMIT } });
export const platformQuery = () => apiQuery(listLedgerAccounts, {});
export const transactionQuery = (id: string) => apiQuery(readLedgerTransaction, { params: { id } });
export const statementQuery = (code: string, { kind, sum, from, to }: LedgerFilters) =>
  apiInfiniteQuery(ledgerStatement, {
    params: { code },
    query: { limit: LIMIT, ...(kind && { kind }), ...(sum && { sum }), ...(from && { from }), ...(to && { to }) },
  });

export const reconciliationQuery = (search: URLSearchParams) =>
  apiQuery(ledgerReconciliation, { query: daysIn(search) });

const ALARM_VIEWS = ['open', 'over'] as const;
export const alarmView = (search: URLSearchParams) => oneOf(ALARM_VIEWS, search.get('is')) ?? 'open';
export const alarmsQuery = (is: (typeof ALARM_VIEWS)[number]) =>
  apiInfiniteQuery(listAlarms, { query: { is, limit: LIMIT } });

const WORD = /^[\w.@:-]{1,60}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export function auditFilters(search: URLSearchParams) {
  const wordIn = (name: string) => {
    const text = search.get(name)?.trim() ?? '';
    return WORD.test(text) ? text : undefined;
  };
  const [act, subjectKind, subjectId, operatorId] = [
    wordIn('act'),
    wordIn('subjectKind'),
    wordIn('subjectId'),
    wordIn('operatorId'),
  ];
  return {
    ...(act && { act }),
    ...(subjectKind && { subjectKind }),
    ...(subjectId && { subjectId }),
    ...(operatorId && UUID.test(operatorId) && { operatorId }),
    ...daysIn(search),
  };
}
export type AuditFilters = ReturnType<typeof auditFilters>;
export const auditQuery = (filters: AuditFilters) =>
  apiInfiniteQuery(listAudit, { query: { ...filters, limit: LIMIT } });
export const auditWordsQuery = () => apiQuery(auditWords, {});
export const chainQuery = () => apiQuery(auditChain, {});
