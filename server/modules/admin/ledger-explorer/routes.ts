import * as contract from '@stagedoor/contract/admin/ledger.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { getAlarmPage, registerCheck, resolveAlarm, startCheck } from './alarms.ts';
import { exportReconciliation, getReconciliation } from './reconciliation.ts';
import { runLedgerSearch } from './search.ts';
import { getPlatformAccounts, getStatement } from './statement.ts';
import { getTransaction } from './transaction.ts';

export function register({ bind, ctx }: ModuleHost): void {
  bind(contract.searchLedger, ({ actor, query }) => runLedgerSearch(ctx, actor, query));
  bind(contract.getLedgerTransaction, ({ actor, params }) => getTransaction(ctx, actor, params.id));
  bind(contract.listLedgerAccounts, () => getPlatformAccounts(ctx));
  bind(contract.getLedgerAccountStatement, ({ actor, params, query }) => getStatement(ctx, actor, params.code, query));
  bind(contract.getLedgerReconciliation, ({ query }) => getReconciliation(ctx, query));
  bind(contract.exportLedgerReconciliation, ({ query }) => exportReconciliation(ctx, query));
  bind(contract.listAlarms, ({ query }) => getAlarmPage(ctx, query));
  bind(contract.startLedgerCheck, ({ actor }) => startCheck(ctx, actor));
  bind(contract.resolveAlarm, ({ actor, params, body }) => resolveAlarm(ctx, actor, params.id, body.reason));
  registerCheck(ctx);
}
