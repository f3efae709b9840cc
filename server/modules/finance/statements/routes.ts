import { downloadEarningsStatement, downloadWalletStatement } from '@stagedoor/contract/finance/statements.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerStatementExport } from './data-export.ts';
import { createWalletReader, readEarnings } from './read.ts';
import { createStatementService } from './service.ts';

export function register({ ctx, bind }: ModuleHost): void {
  registerStatementExport(ctx);
  const createStatement = createStatementService(ctx);
  const readWallet = createWalletReader(ctx);
  bind(downloadWalletStatement, ({ actor, query }) => createStatement(readWallet, actor, query));
  bind(downloadEarningsStatement, ({ actor, query }) => createStatement(readEarnings, actor, query));
}
