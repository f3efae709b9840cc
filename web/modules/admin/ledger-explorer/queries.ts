import { getAuditChain, getAuditFilters, listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import {
  getLedgerAccountStatement,
  getLedgerReconciliation,
  getLedgerTransaction,
  listAlarms,
  listLedgerAccounts,
  searchLedger,
} from '@stagedoor/contract/admin/ledger.ts';
import { MONEY_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import { parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import { PAGE_SIZES } from '@stagedoor/contract/shared/paging.ts';
import { parseDayParam, parseOption } from '../../../platform/address.ts';
import { apiInfiniteQuery, apiQuery } from '../../../platform/query.ts';

const PAGE_SIZE = PAGE_SIZES[1];
export const KIND_OPTIONS = Object.entries(MONEY_KINDS).map(([value, { title }]) => ({ value, label: title }));

function parseSum(search: URLSearchParams): number | undefined {
  const sum = parseUsd(search.get('sum') ?? '');
  return sum !== undefined && sum > 0 && sum < 1e9 ? sum : undefined;
}

/** Drops an end date before the start date. */
function parseDays(search: URLSearchParams) {
  const [from, to] = [parseDayParam(search, 'from'), parseDayParam(search, 'to')];
  return { ...(from && { from }), ...(to && (!from || from <= to) && { to }) };
}

export function parseLedgerFilters(search: URLSearchParams) {
  const q = search.get('q')?.trim().slice(0, 200);
  const kind = parseOption(Object.keys(MONEY_KINDS), search.get('kind'));
  const sum = parseSum(search);
  return { ...(q && { q }), ...(kind && { kind }), ...(sum !== undefined && { sum }), ...parseDays(search) };
}
export type LedgerFilters = ReturnType<typeof parseLedgerFilters>;

export const searchQuery = (filters: LedgerFilters) =>
  apiInfiniteQuery(searchLedger, { query: { ...filters, limit: PAGE_SIZE } });
export const platformAccountsQuery = () => apiQuery(listLedgerAccounts, {});
export const transactionQuery = (id: string) => apiQuery(getLedgerTransaction, { params: { id } });
export const statementQuery = (code: string, { kind, sum, from, to }: LedgerFilters) =>
  apiInfiniteQuery(getLedgerAccountStatement, {
    params: { code },
    query: { limit: PAGE_SIZE, ...(kind && { kind }), ...(sum && { sum }), ...(from && { from }), ...(to && { to }) },
  });

export const reconciliationQuery = (search: URLSearchParams) =>
  apiQuery(getLedgerReconciliation, { query: parseDays(search) });

const ALARM_VIEWS = ['open', 'over'] as const;
export const parseAlarmView = (search: URLSearchParams) => parseOption(ALARM_VIEWS, search.get('view')) ?? 'open';
export const alarmsQuery = (view: (typeof ALARM_VIEWS)[number]) =>
  apiInfiniteQuery(listAlarms, { query: { view, limit: PAGE_SIZE } });

const FILTER_VALUE = /^[\w.@:-]{1,60}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export function parseAuditFilters(search: URLSearchParams) {
  const parseValue = (name: string) => {
    const text = search.get(name)?.trim() ?? '';
    return FILTER_VALUE.test(text) ? text : undefined;
  };
  const [action, subjectKind, subjectId, operatorId] = [
    parseValue('action'),
    parseValue('subjectKind'),
    parseValue('subjectId'),
    parseValue('operatorId'),
  ];
  return {
    ...(action && { action }),
    ...(subjectKind && { subjectKind }),
    ...(subjectId && { subjectId }),
    ...(operatorId && UUID.test(operatorId) && { operatorId }),
    ...parseDays(search),
  };
}
export type AuditFilters = ReturnType<typeof parseAuditFilters>;
export const auditQuery = (filters: AuditFilters) =>
  apiInfiniteQuery(listAuditEntries, { query: { ...filters, limit: PAGE_SIZE } });
export const auditFilterOptionsQuery = () => apiQuery(getAuditFilters, {});
export const chainQuery = () => apiQuery(getAuditChain, {});
