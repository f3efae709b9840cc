import * as contract from '@stagedoor/contract/affiliates.ts';
import { toBalance } from '@stagedoor/contract/atoms/money.ts';
import { balanceChanged } from '@stagedoor/contract/wallet.ts';
import type { Server } from '../../kernel/bind.ts';
import { besideDeposits } from '../payments/index.ts';
import { returnUnpaid } from '../sales/index.ts';
import { registerAffiliateParts } from './archive.ts';
import { cancel, moveToBalance, withdraw } from './claims.ts';
import { registerAffiliateClosing } from './closing.ts';
import { viewCode, viewInvitation } from './codes.ts';
import { viewTotals } from './figures.ts';
import { viewReferrals, viewWithdrawal, viewWithdrawals } from './lists.ts';
import { noteDeposit, noteVerification, refer } from './referrals.ts';

export function register({ ctx, bind }: Server): void {
  registerAffiliateParts(ctx);
  bind(contract.getAffiliateCode, ({ actor }) => viewCode(ctx, actor));
  bind(contract.totalEarning, ({ actor }) => viewTotals(ctx, actor));
  bind(contract.listReferrals, ({ actor, params, query }) => viewReferrals(ctx, actor, params.id, query));
  bind(contract.listWithdrawals, ({ actor, query }) => viewWithdrawals(ctx, actor, query));
  bind(contract.withdrawalDetail, ({ actor, params }) => viewWithdrawal(ctx, actor, params.id));
  bind(contract.depositFromReferrals, ({ actor, params, body, operationId }) =>
    moveToBalance(ctx, actor, { affiliateId: params.id, amount: body.amount, operationId }),
  );
  bind(contract.withdrawOutside, ({ actor, body, operationId }) => withdraw(ctx, actor, { ...body, operationId }));
  bind(contract.cancelWithdrawal, async ({ actor, params }) => {
    await cancel(ctx, actor, params.id);
    return { info: 'Request canceled. The amount is available again.' };
  });
  bind(contract.getInvitation, ({ params }) => viewInvitation(ctx, params.code));

  const referred = {
    lane: 'quick',
    subject: ({ userId }: { userId: string }) => `referral:${userId}`,
    when: ({ referralCode }: { referralCode: string | null }) => referralCode !== null,
  } as const;
  ctx.events.do('account.created', 'affiliates.refer', referred, ({ payload }) => refer(ctx, payload));
  const verified = {
    lane: 'quick',
    subject: ({ creatorId }: { creatorId: string }) => `referral:${creatorId}`,
  } as const;
  ctx.events.do('verification.changed', 'affiliates.verification', verified, ({ payload }) =>
    noteVerification(ctx, payload),
  );
  registerAffiliateClosing(ctx);
  besideDeposits(ctx, { credited: noteDeposit, owed: returnUnpaid });
  ctx.events.tell(
    'commission.moved',
    'affiliates.balance',
    ({ fanId }) => `wallet:${fanId}`,
    ({ payload: { fanId, transactionId, ...balance } }) =>
      ctx.realtime.toUser(fanId, balanceChanged, { ...toBalance(balance), transactionId }),
  );
}
