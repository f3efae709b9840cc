/** Binds the contract's payout routes to their verbs. */

import { toCents } from '@stagedoor/contract/atoms/money.ts';
import * as contract from '@stagedoor/contract/payouts.ts';
import type { Server } from '../../kernel/bind.ts';
import './events.ts';
import { payoutMail } from './mails.ts';
import { addMethod, removeMethod, replaceMethod, viewMethods } from './methods.ts';
import { cancelPayout, requestPayout } from './requests.ts';
import { viewOverview, viewPayout, viewPayouts } from './views.ts';

const earned = ({ userId }: { userId: string }) => ({ userId, source: 'earnings' }) as const;

export function register({ bind, ctx }: Server): void {
  bind(contract.listPayoutMethods, ({ actor }) => viewMethods(ctx, actor));
  bind(contract.addPayoutMethod, ({ actor, body }) => addMethod(ctx, actor, body));
  bind(contract.replacePayoutMethod, ({ actor, params, body }) => replaceMethod(ctx, actor, params.id, body));
  bind(contract.removePayoutMethod, async ({ actor, params, body }) => {
    await removeMethod(ctx, actor, params.id, body);
    return { info: 'This payout method is removed.' };
  });

  bind(contract.payoutOverview, ({ actor }) => viewOverview(ctx, actor.userId, 'earnings'));
  bind(contract.requestPayout, ({ actor, body: { amount, methodId }, operationId }) =>
    ctx.db.transaction(async (tx) => {
      const request = { ...earned(actor), amountCents: toCents(amount), methodId, operationId };
      return viewPayout(tx, earned(actor), await requestPayout(ctx, tx, request));
    }),
  );
  bind(contract.listPayouts, ({ actor, query }) => viewPayouts(ctx.db, earned(actor), query));
  bind(contract.getPayout, ({ actor, params }) => viewPayout(ctx.db, earned(actor), params.id));
  bind(contract.cancelPayout, ({ actor, params }) =>
    ctx.db.transaction(async (tx) => {
      await cancelPayout(ctx, tx, { ...earned(actor), payoutId: params.id });
      return viewPayout(tx, earned(actor), params.id);
    }),
  );

  ctx.events.do(
    'payout.changed',
    'payouts.mail',
    { lane: 'money', subject: ({ payoutId }) => `payout:${payoutId}` },
    ({ payload }) => payoutMail(ctx, payload),
  );
}
