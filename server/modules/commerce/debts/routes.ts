import * as adminDebts from '@stagedoor/contract/admin/debts.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerApprovalHandler } from '../../identity/approvals/index.ts';
import { mailDebtChange } from './mails.ts';
import { createWriteOffApproval, decideDebt, viewDebtors } from './service.ts';

export function register({ ctx, bind }: ModuleHost): void {
  bind(adminDebts.listDebtors, ({ query }) => viewDebtors(ctx, query));
  bind(adminDebts.decideDebt, ({ actor, params, body }) => decideDebt(ctx, actor.userId, params.id, body));

  registerApprovalHandler(ctx, 'writeOff', createWriteOffApproval(ctx));
  ctx.events.addJobHandler(
    'debt.changed',
    'debts.mailChange',
    { queue: 'money', subject: ({ fanId }) => `debt:${fanId}` },
    ({ payload }) => mailDebtChange(ctx, payload),
  );
}
