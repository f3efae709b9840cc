import { toCents } from '@stagedoor/contract/atoms/money.ts';
import * as desk from '@stagedoor/contract/payout-desk.ts';
import * as contract from '@stagedoor/contract/payouts.ts';
import type { Server } from '../../kernel/bind.ts';
import { keepMoneyLimit } from '../operators/index.ts';
import { registerPayoutPart } from './archive.ts';
import { batchFile, sendBatch, viewBatches, viewRails } from './batches.ts';
import { viewCase } from './case.ts';
import { registerPayoutClosing } from './closing.ts';
import { decidePayout, viewDesk } from './desk.ts';
import './events.ts';
import { correctReference, stepPayout } from './hand.ts';
import { payoutMail } from './mails.ts';
import { addMethod, removeMethod, replaceMethod, viewMethods } from './methods.ts';
import { decideNotice, viewNotices } from './notice-desk.ts';
import { registerNotices } from './notices.ts';
import { cancelPayout, requestPayout } from './requests.ts';
import { followRules, setRule, viewRule } from './rules.ts';
import { payoutSettings, setSettings, viewSettings } from './settings.ts';
import { registerSubmit } from './submit.ts';
import { viewOverview, viewPayout, viewPayouts } from './views.ts';

const earned = ({ userId }: { userId: string }) => ({ userId, source: 'earnings' }) as const;

function bindDesk({ bind, ctx }: Server): void {
  bind(desk.listDeskPayouts, ({ query }) => viewDesk(ctx, query));
  bind(desk.readDeskPayout, ({ params }) => viewCase(ctx, params.id));
  bind(desk.decidePayout, ({ actor, params, body }) => decidePayout(ctx, actor.userId, params.id, body));
  bind(desk.stepPayout, ({ actor, params, body }) => stepPayout(ctx, actor.userId, params.id, body));
  bind(desk.correctReference, ({ actor, params, body }) => correctReference(ctx, actor.userId, params.id, body));
  bind(desk.listPayoutBatches, ({ query }) => viewBatches(ctx, query));
  bind(desk.listPayoutRails, () => viewRails(ctx));
  bind(desk.sendPayouts, ({ actor, body, operationId }) => sendBatch(ctx, actor.userId, body.rail, operationId));
  bind(desk.payoutBatchFile, ({ actor, params }) => batchFile(ctx, actor.userId, params.id));
  bind(desk.listPayoutNotices, ({ query }) => viewNotices(ctx, query));
  bind(desk.decidePayoutNotice, ({ actor, params, body }) => decideNotice(ctx, actor.userId, params.id, body));
  bind(desk.getPayoutSettings, () => viewSettings(ctx));
  bind(desk.setPayoutSettings, ({ actor, body }) => setSettings(ctx, actor.userId, body));
}

export async function register(server: Server): Promise<void> {
  const { app, bind, ctx, metrics } = server;
  registerPayoutClosing(ctx);
  registerPayoutPart(ctx);
  keepMoneyLimit(ctx, async (db) => (await payoutSettings(db)).secondApproverCents);
  bindDesk(server);
  await registerNotices(app, ctx, metrics);
  registerSubmit(ctx);
  ctx.jobs.schedule('payouts.rules', '40 2 * * *', async () => void (await followRules(ctx)));
  bind(contract.getPayoutRule, ({ actor }) => viewRule(ctx, earned(actor)));
  bind(contract.setPayoutRule, ({ actor, body }) => setRule(ctx, earned(actor), body));
  bind(contract.listPayoutMethods, ({ actor }) => viewMethods(ctx, actor));
  bind(contract.addPayoutMethod, ({ actor, body }) => addMethod(ctx, actor, body));
  bind(contract.replacePayoutMethod, ({ actor, params, body }) => replaceMethod(ctx, actor, params.id, body));
  bind(contract.removePayoutMethod, async ({ actor, params, body }) => {
    await removeMethod(ctx, actor, params.id, body);
    return { info: 'Payout method removed.' };
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
