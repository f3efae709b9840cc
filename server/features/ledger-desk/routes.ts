import * as contract from '@stagedoor/contract/ledger-desk.ts';
import type { Server } from '../../kernel/bind.ts';
import { beginCheck, registerCheck, resolve, viewAlarms } from './alarms.ts';
import { reconciliationFile, viewReconciliation } from './reconciliation.ts';
import { search } from './search.ts';
import { viewPlatformAccounts, viewStatement } from './statement.ts';
import { viewTransaction } from './transaction.ts';

export function register({ bind, ctx }: Server): void {
  bind(contract.searchLedger, ({ actor, query }) => search(ctx, actor, query));
  bind(contract.readLedgerTransaction, ({ actor, params }) => viewTransaction(ctx, actor, params.id));
  bind(contract.listLedgerAccounts, () => viewPlatformAccounts(ctx));
  bind(contract.ledgerStatement, ({ actor, params, query }) => viewStatement(ctx, actor, params.code, query));
  bind(contract.ledgerReconciliation, ({ query }) => viewReconciliation(ctx, query));
  bind(contract.ledgerReconciliationFile, ({ query }) => reconciliationFile(ctx, query));
  bind(contract.listAlarms, ({ query }) => viewAlarms(ctx, query));
  bind(contract.checkLedgerNow, ({ actor }) => beginCheck(ctx, actor));
  bind(contract.resolveAlarm, ({ actor, params, body }) => resolve(ctx, actor, params.id, body.ground));
  registerCheck(ctx);
}
