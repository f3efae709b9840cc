import * as adminPayouts from '@stagedoor/contract/admin/payouts.ts';
import * as contract from '@stagedoor/contract/finance/payouts.ts';
import { toCents } from '@stagedoor/contract/shared/money.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerApprovalLimit, registerGuardedSetting } from '../../identity/approvals/index.ts';
import { registerPayoutDeletion } from './account-deletion.ts';
import { decidePayout, viewAdminPayouts } from './admin.ts';
import { downloadBatchFile, sendBatch, viewBatches, viewRails } from './batches.ts';
import { registerPayoutExport } from './data-export.ts';
import { viewPayoutDetail } from './payout-detail.ts';
import './events.ts';
import { mailPayoutChange } from './mails.ts';
import { recordPayoutStep, replaceReference } from './manual-transfers.ts';
import { addMethod, removeMethod, replaceMethod, viewMethods } from './methods.ts';
import { viewPayout, viewPayoutOverview, viewPayouts } from './own-payouts.ts';
import { runDueRules, setRule, viewRule } from './payout-schedules.ts';
import { decidePayPalWebhook, viewPayPalWebhooks } from './paypal-webhook-admin.ts';
import { registerPayPalWebhook } from './paypal-webhooks.ts';
import { cancelPayout, requestPayout } from './requests.ts';
import { loadPayoutSettings, PAYOUT_SETTINGS, savePayoutSettings, viewPayoutSettings } from './settings.ts';
import { registerSubmission } from './submit.ts';
import * as texts from './texts.ts';

const toEarningsPayee = ({ userId }: { userId: string }) => ({ userId, source: 'earnings' }) as const;

function bindAdmin({ bind, ctx }: ModuleHost): void {
  bind(adminPayouts.listAdminPayouts, ({ query }) => viewAdminPayouts(ctx, query));
  bind(adminPayouts.getAdminPayout, ({ params }) => viewPayoutDetail(ctx, params.id));
  bind(adminPayouts.decidePayout, ({ actor, params, body }) => decidePayout(ctx, actor.userId, params.id, body));
  bind(adminPayouts.recordTransferStep, ({ actor, params, body }) =>
    recordPayoutStep(ctx, actor.userId, params.id, body),
  );
  bind(adminPayouts.correctPayoutReference, ({ actor, params, body }) =>
    replaceReference(ctx, actor.userId, params.id, body),
  );
  bind(adminPayouts.listPayoutBatches, ({ query }) => viewBatches(ctx, query));
  bind(adminPayouts.listPayoutRails, () => viewRails(ctx));
  bind(adminPayouts.sendPayouts, ({ actor, body, operationId }) =>
    sendBatch(ctx, actor.userId, body.rail, operationId),
  );
  bind(adminPayouts.downloadPayoutBatch, ({ actor, params }) => downloadBatchFile(ctx, actor.userId, params.id));
  bind(adminPayouts.listPayoutWebhooks, ({ query }) => viewPayPalWebhooks(ctx, query));
  bind(adminPayouts.decidePayoutWebhook, ({ actor, params, body }) =>
    decidePayPalWebhook(ctx, actor.userId, params.id, body),
  );
  bind(adminPayouts.getPayoutSettings, () => viewPayoutSettings(ctx));
  bind(adminPayouts.updatePayoutSettings, ({ actor, body }) => savePayoutSettings(ctx, actor.userId, body));
}

export async function register(server: ModuleHost): Promise<void> {
  const { app, bind, ctx, metrics } = server;
  registerPayoutDeletion(ctx);
  registerPayoutExport(ctx);
  registerApprovalLimit(ctx, async (db) => (await loadPayoutSettings(db)).secondApproverCents);
  registerGuardedSetting(ctx, 'secondApprover', PAYOUT_SETTINGS);
  registerGuardedSetting(ctx, 'coolingHours', PAYOUT_SETTINGS);
  bindAdmin(server);
  await registerPayPalWebhook(app, ctx, metrics);
  registerSubmission(ctx);
  ctx.jobs.schedule('payouts.runSchedules', '40 2 * * *', async () => void (await runDueRules(ctx)));
  bind(contract.getPayoutRule, ({ actor }) => viewRule(ctx, toEarningsPayee(actor)));
  bind(contract.updatePayoutRule, ({ actor, body }) => setRule(ctx, toEarningsPayee(actor), body));
  bind(contract.listPayoutMethods, ({ actor }) => viewMethods(ctx, actor));
  bind(contract.addPayoutMethod, ({ actor, body }) => addMethod(ctx, actor, body));
  bind(contract.replacePayoutMethod, ({ actor, params, body }) => replaceMethod(ctx, actor, params.id, body));
  bind(contract.removePayoutMethod, async ({ actor, params, body }) => {
    await removeMethod(ctx, actor, params.id, body);
    return { info: texts.payoutMethodRemoved };
  });

  bind(contract.getPayoutOverview, ({ actor }) => viewPayoutOverview(ctx, actor.userId, 'earnings'));
  bind(contract.requestPayout, ({ actor, body: { amount, methodId }, operationId }) =>
    ctx.db.transaction(async (tx) => {
      const request = { ...toEarningsPayee(actor), amountCents: toCents(amount), methodId, operationId };
      return viewPayout(tx, toEarningsPayee(actor), await requestPayout(ctx, tx, request));
    }),
  );
  bind(contract.listPayouts, ({ actor, query }) => viewPayouts(ctx.db, toEarningsPayee(actor), query));
  bind(contract.getPayout, ({ actor, params }) => viewPayout(ctx.db, toEarningsPayee(actor), params.id));
  bind(contract.cancelPayout, ({ actor, params }) =>
    ctx.db.transaction(async (tx) => {
      await cancelPayout(ctx, tx, { ...toEarningsPayee(actor), payoutId: params.id });
      return viewPayout(tx, toEarningsPayee(actor), params.id);
    }),
  );

  ctx.events.addJobHandler(
    'payout.changed',
    'payouts.mail',
    { queue: 'money', subject: ({ payoutId }) => `payout:${payoutId}` },
    ({ payload }) => mailPayoutChange(ctx, payload),
  );
}
