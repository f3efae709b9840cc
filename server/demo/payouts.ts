/** Demo payouts in every state. */
import {
  addPayoutMethod,
  cancelPayout,
  listPayoutMethods,
  listPayouts,
  payoutOverview,
  requestPayout,
} from '@stagedoor/contract/payouts.ts';
import { wantedSettings } from '../features/operators/index.ts';
import { decidePayout, sendBatch, setSettings, stepPayout, viewSettings } from '../features/payouts/index.ts';
import { operationOf } from './past.ts';
import type { Stage } from './studio.ts';
import { DEMO_PASSWORD, OPERATOR, SECOND_OPERATOR } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;
const LEAST_USD = 20;
/** The limit is low so that the demo shows a second approval. */
const SECOND_APPROVER_USD = 150;
const WISHED_USD = 300;

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

export type PayoutAct = { kind: 'payout'; who: string; step: (typeof STEPS)[number]['step']; usd: number };

export function payoutsUntil(epoch: Date): (PayoutAct & { at: Date })[] {
  return STEPS.map((one) => ({
    kind: 'payout',
    who: 'demo.creator',
    step: one.step,
    usd: 'usd' in one ? one.usd : 0,
    at: new Date(epoch.getTime() - one.daysAgo * DAY_MS),
  }));
}

const BANK = {
  kind: 'ach',
  holder: 'Mirele Sandoval',
  routing: '091000019',
  account: '55012338',
  accountType: 'Checking Account',
  region: 'Domestic (USA)',
};

async function wishForMore(ctx: Stage['past']['ctx'], operatorId: string): Promise<void> {
  const [from, wanted] = await Promise.all([viewSettings(ctx), wantedSettings(ctx.db)]);
  if (wanted.length > 0 || from.secondApprover !== SECOND_APPROVER_USD) return;
  const to = { ...from, secondApprover: WISHED_USD };
  await setSettings(ctx, operatorId, { from, to, ground: 'Nearly every request is above it by now' });
}

/** A step that was done is skipped. */
export async function dealWithPayout({ past, ids }: Stage, act: PayoutAct & { key: string }): Promise<void> {
  const { who: as, step, usd, key } = act;
  // An interrupted demo already contains later ones.
  const now = past.ctx.clock.now().toISOString();
  const known = (await past.call(listPayouts, { as })).data.filter(({ createdAt }) => createdAt <= now);
  const [method] = (await past.call(listPayoutMethods, { as })).data;
  if (step === 'method') {
    const body = { currentPassword: DEMO_PASSWORD, details: BANK };
    if (!method) await past.call(addPayoutMethod, { as, body });
    const settings = await viewSettings(past.ctx);
    if (settings.secondApprover === SECOND_APPROVER_USD) return;
    const to = { ...settings, secondApprover: SECOND_APPROVER_USD };
    await setSettings(past.ctx, ids.get(OPERATOR.username) ?? '', {
      from: settings,
      to,
      ground: 'A small house: two of us look sooner',
    });
    return;
  }
  if (step === 'request') {
    if (known.some(({ createdAt }) => createdAt === now)) return;
    const { available } = await past.call(payoutOverview, { as });
    const amount = Math.min(usd, available);
    if (method && amount >= LEAST_USD)
      await past.call(requestPayout, { as, key, body: { amount, methodId: method.id } });
    return;
  }
  const operatorId = ids.get((step === 'endorse' ? SECOND_OPERATOR : OPERATOR).username) ?? '';
  const open = known.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
  const isOpen = step === 'paid' || step === 'send' ? open?.transfer === 'pending' : open?.status === 'requested';
  if (!open || !isOpen) return;
  if (step === 'cancel') await past.call(cancelPayout, { as, params: { id: open.id } });
  if (step === 'approve' || step === 'endorse' || step === 'reject') {
    const ground =
      step === 'reject' ? 'The name on this account is not yours. Please check it with your bank.' : 'As usual';
    const decision = step === 'reject' ? 'reject' : 'approve';
    await decidePayout(past.ctx, operatorId, open.id, { decision, ground });
    if (step === 'endorse') await wishForMore(past.ctx, operatorId);
  }
  if (step === 'send') await sendBatch(past.ctx, operatorId, 'ach', operationOf(key));
  if (step === 'paid')
    await stepPayout(past.ctx, operatorId, open.id, { step, ground: 'On the statement of the bank' });
}
