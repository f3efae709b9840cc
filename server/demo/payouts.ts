/** Demo payouts in every state. */
import {
  addPayoutMethod,
  cancelPayout,
  getPayoutOverview,
  listPayoutMethods,
  listPayouts,
  requestPayout,
} from '@stagedoor/contract/finance/payouts.ts';
import {
  decidePayout,
  recordPayoutStep,
  savePayoutSettings,
  sendBatch,
  viewPayoutSettings,
} from '../modules/finance/payouts/index.ts';
import { listPendingSettings } from '../modules/identity/approvals/index.ts';
import type { DemoContext } from './demo-context.ts';
import { toOperationId } from './past-app.ts';
import { DEMO_PASSWORD, OPERATOR, SECOND_OPERATOR } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;
const MIN_USD = 20;
/** The limit is low so that the demo shows a second approval. */
const SECOND_APPROVER_USD = 150;
const REQUESTED_APPROVER_USD = 300;

const STEPS = [
  { step: 'method', daysAgo: 40 },
  { step: 'request', daysAgo: 20, usd: 30 },
  { step: 'reject', daysAgo: 19.6 },
  { step: 'request', daysAgo: 18, usd: 60 },
  { step: 'approve', daysAgo: 17.4 },
  { step: 'send', daysAgo: 17.2 },
  { step: 'paid', daysAgo: 15.3 },
  { step: 'request', daysAgo: 11, usd: 25 },
  { step: 'cancel', daysAgo: 10.9 },
  { step: 'request', daysAgo: 4, usd: 40 },
  { step: 'approve', daysAgo: 3.3 },
  { step: 'send', daysAgo: 2.3 },
  { step: 'request', daysAgo: 1.6, usd: 160 },
  { step: 'endorse', daysAgo: 1.1 },
  { step: 'request', daysAgo: 0.6, usd: 20 },
] as const;

export type DemoPayoutAction = { kind: 'payout'; username: string; step: (typeof STEPS)[number]['step']; usd: number };

export function listPayoutActions(epoch: Date): (DemoPayoutAction & { at: Date })[] {
  return STEPS.map((step) => ({
    kind: 'payout',
    username: 'demo.creator',
    step: step.step,
    usd: 'usd' in step ? step.usd : 0,
    at: new Date(epoch.getTime() - step.daysAgo * DAY_MS),
  }));
}

const BANK = {
  kind: 'ach',
  holder: 'Mirele Sandoval',
  routing: '091000019',
  account: '55012338',
  accountType: 'Checking Account',
  region: 'Domestic (USA)',
} as const;

async function requestHigherLimit(ctx: DemoContext['pastApp']['ctx'], operatorId: string): Promise<void> {
  const [from, pending] = await Promise.all([viewPayoutSettings(ctx), listPendingSettings(ctx.db)]);
  if (pending.length > 0 || from.secondApprover !== SECOND_APPROVER_USD) return;
  const to = { ...from, secondApprover: REQUESTED_APPROVER_USD };
  await savePayoutSettings(ctx, operatorId, { from, to, reason: 'Nearly every request is above it by now' });
}

/** A step that was done is skipped. */
export async function performPayoutStep(
  { pastApp, ids }: DemoContext,
  action: DemoPayoutAction & { key: string },
): Promise<void> {
  const { username: as, step, usd, key } = action;
  // An interrupted demo already contains later ones.
  const now = pastApp.ctx.clock.now().toISOString();
  const existing = (await pastApp.call(listPayouts, { as })).data.filter(({ createdAt }) => createdAt <= now);
  const [method] = (await pastApp.call(listPayoutMethods, { as })).data;
  if (step === 'method') {
    const body = { currentPassword: DEMO_PASSWORD, details: BANK };
    if (!method) await pastApp.call(addPayoutMethod, { as, body });
    const settings = await viewPayoutSettings(pastApp.ctx);
    if (settings.secondApprover === SECOND_APPROVER_USD) return;
    const to = { ...settings, secondApprover: SECOND_APPROVER_USD };
    await savePayoutSettings(pastApp.ctx, ids.get(OPERATOR.username) ?? '', {
      from: settings,
      to,
      reason: 'A small house: two of us look sooner',
    });
    return;
  }
  if (step === 'request') {
    if (existing.some(({ createdAt }) => createdAt === now)) return;
    const { available } = await pastApp.call(getPayoutOverview, { as });
    const amount = Math.min(usd, available);
    if (method && amount >= MIN_USD)
      await pastApp.call(requestPayout, { as, key, body: { amount, methodId: method.id } });
    return;
  }
  const operatorId = ids.get((step === 'endorse' ? SECOND_OPERATOR : OPERATOR).username) ?? '';
  const openPayout = existing.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
  const isOpen =
    step === 'paid' || step === 'send' ? openPayout?.transfer === 'pending' : openPayout?.status === 'requested';
  if (!openPayout || !isOpen) return;
  if (step === 'cancel') await pastApp.call(cancelPayout, { as, params: { id: openPayout.id } });
  if (step === 'approve' || step === 'endorse' || step === 'reject') {
    const reason =
      step === 'reject' ? 'The name on this account is not yours. Please check it with your bank.' : 'As usual';
    const decision = step === 'reject' ? 'reject' : 'approve';
    await decidePayout(pastApp.ctx, operatorId, openPayout.id, { decision, reason });
    if (step === 'endorse') await requestHigherLimit(pastApp.ctx, operatorId);
  }
  if (step === 'send') await sendBatch(pastApp.ctx, operatorId, 'ach', toOperationId(key));
  if (step === 'paid')
    await recordPayoutStep(pastApp.ctx, operatorId, openPayout.id, { step, reason: 'On the statement of the bank' });
}
