import { earningsStatement, walletStatement } from '@stagedoor/contract/statements.ts';
import type { Server } from '../../kernel/bind.ts';
import { registerStatementPart } from './archive.ts';
import { readEarnings, walletReader } from './read.ts';
import { createDesk } from './service.ts';

export function register({ ctx, bind }: Server): void {
  registerStatementPart(ctx);
  const makeStatement = createDesk(ctx);
  const readWallet = walletReader(ctx);
  bind(walletStatement, ({ actor, query }) => makeStatement(readWallet, actor, query));
  bind(earningsStatement, ({ actor, query }) => makeStatement(readEarnings, actor, query));
}
