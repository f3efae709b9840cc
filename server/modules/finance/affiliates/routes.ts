import * as contract from '@stagedoor/contract/finance/affiliates.ts';
import { balanceChanged } from '@stagedoor/contract/finance/wallet.ts';
import { toDepositBalance } from '@stagedoor/contract/shared/money.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerDepositHook } from '../../commerce/deposits/index.ts';
import { reverseUnpaidCommissions } from '../../commerce/sales/index.ts';
import { registerAffiliateDeletion } from './account-deletion.ts';
import { cancelWithdrawalRequest, moveToBalance, withdrawToPayout } from './claims.ts';
import { viewCode, viewInvitation } from './codes.ts';
import { registerAffiliateExport } from './data-export.ts';
import { viewTotals } from './figures.ts';
import { viewReferrals, viewWithdrawal, viewWithdrawals } from './lists.ts';
import { recordFirstDeposit, recordReferral, recordVerification } from './referrals.ts';
import * as texts from './texts.ts';

export function register({ ctx, bind }: ModuleHost): void {
  registerAffiliateExport(ctx);
  bind(contract.getAffiliateCode, ({ actor }) => viewCode(ctx, actor));
  bind(contract.getAffiliateTotals, ({ actor }) => viewTotals(ctx, actor));
  bind(contract.listReferrals, ({ actor, params, query }) => viewReferrals(ctx, actor, params.id, query));
  bind(contract.listWithdrawals, ({ actor, query }) => viewWithdrawals(ctx, actor, query));
  bind(contract.getWithdrawal, ({ actor, params }) => viewWithdrawal(ctx, actor, params.id));
  bind(contract.depositReferralEarnings, ({ actor, params, body, operationId }) =>
    moveToBalance(ctx, actor, { affiliateId: params.id, amount: body.amount, operationId }),
  );
  bind(contract.requestWithdrawal, ({ actor, body, operationId }) =>
    withdrawToPayout(ctx, actor, { ...body, operationId }),
  );
  bind(contract.cancelWithdrawal, async ({ actor, params }) => {
    await cancelWithdrawalRequest(ctx, actor, params.id);
    return { info: texts.withdrawalRequestCanceled };
  });
  bind(contract.getReferralInvitation, ({ params }) => viewInvitation(ctx, params.code));

  const referred = {
    queue: 'quick',
    subject: ({ userId }: { userId: string }) => `referral:${userId}`,
    filter: ({ referralCode }: { referralCode: string | null }) => referralCode !== null,
  } as const;
  ctx.events.addJobHandler('account.created', 'affiliates.refer', referred, ({ payload }) =>
    recordReferral(ctx, payload),
  );
  const verified = {
    queue: 'quick',
    subject: ({ creatorId }: { creatorId: string }) => `referral:${creatorId}`,
  } as const;
  ctx.events.addJobHandler('verification.changed', 'affiliates.verification', verified, ({ payload }) =>
    recordVerification(ctx, payload),
  );
  registerAffiliateDeletion(ctx);
  registerDepositHook(ctx, 'affiliates', { onCredited: recordFirstDeposit, onDebt: reverseUnpaidCommissions });
  ctx.events.addBroadcastHandler(
    'commission.moved',
    'affiliates.balance',
    ({ fanId }) => `wallet:${fanId}`,
    ({ payload: { fanId, transactionId, ...balance } }) =>
      ctx.realtime.emitToUser(fanId, balanceChanged, { ...toDepositBalance(balance), transactionId }),
  );
}
