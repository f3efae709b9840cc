/** Banks and PayPal repeat their responses. */

import { randomUUID } from 'node:crypto';
import type { PayoutRail } from '@stagedoor/contract/admin/payouts.ts';
import { payoutMethodId } from '@stagedoor/contract/shared/ids.ts';
import { asCents } from '@stagedoor/contract/shared/money.ts';
import { decidePayout, recordPayoutStep, requestPayout, sendBatch } from '../../modules/finance/payouts/index.ts';
import { runDueRules, setRule } from '../../modules/finance/payouts/payout-schedules.ts';
import { pollPayPal } from '../../modules/finance/payouts/submit.ts';
import type { TestUser } from '../app.ts';
import { DAY_MS, type ModelPayout, type PayoutSource, toDay } from './reference-model.ts';
import type { Simulation } from './simulation.ts';

const MINIMUM = { earnings: { ach: 2_000, paypal: 2_000, crypto: 5_000 }, referrals: 5_000 } as const;
const SECOND_APPROVER = 100_000;
const RAILS: readonly PayoutRail[] = ['ach', 'paypal', 'crypto'];
const REASON = 'As the quarter has it';

type Rule = { userId: string; recurrence: 'weekly' | 'monthaly' | null; thresholdCents: number | null; since: number };
type SentBatch = { rail: PayoutRail; payouts: ModelPayout[]; text: string };

export class PayoutSimulation {
  private readonly simulation: Simulation;
  private readonly rules: Rule[] = [];
  readonly batches: SentBatch[] = [];
  readonly confirmedTwice = new Set<string>();

  constructor(simulation: Simulation) {
    this.simulation = simulation;
  }

  private getMethod(userId: string) {
    const method = this.simulation.methods.get(userId);
    if (!method) throw new Error('no payout method');
    return method;
  }

  private getMinimum(userId: string, source: PayoutSource): number {
    return source === 'referrals' ? MINIMUM.referrals : MINIMUM.earnings[this.getMethod(userId).kind];
  }

  private canBePaid(userId: string): boolean {
    const { model } = this.simulation;
    return (model.creators.get(userId) ?? model.fan(userId)).owed === 0;
  }

  async setRules(): Promise<void> {
    const { app, creators, now } = this.simulation;
    const terms = [
      { recurrence: 'monthaly', thresholdCents: null },
      { recurrence: null, thresholdCents: 15_000 },
      { recurrence: 'weekly', thresholdCents: null },
    ] as const;
    for (const [index, { recurrence, thresholdCents }] of terms.entries()) {
      const { id: userId } = creators[index] ?? this.simulation.pick(creators);
      const methodId = payoutMethodId.parse(this.getMethod(userId).id);
      const rule = { methodId, recurrence, threshold: thresholdCents === null ? null : thresholdCents / 100 };
      await setRule(app.ctx, { userId, source: 'earnings' }, { rule });
      this.rules.push({ userId, recurrence, thresholdCents, since: now });
    }
  }

  private isDue({ recurrence, thresholdCents, since }: Rule, available: number): boolean {
    const { now } = this.simulation;
    if (thresholdCents !== null) return available > thresholdCents;
    const [from, today] = [new Date(since), new Date(now)];
    const days = (Date.parse(toDay(now)) - Date.parse(toDay(since))) / DAY_MS;
    if (recurrence === 'weekly') return days > 0 && days % 7 === 0;
    const last = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0)).getUTCDate();
    return days > 0 && today.getUTCDate() === Math.min(from.getUTCDate(), last);
  }

  async followRules(): Promise<void> {
    const { app, model } = this.simulation;
    const expected = this.rules.flatMap((rule) => {
      const { available } = model.getBalances({ userId: rule.userId, source: 'earnings' });
      const isEnough = available >= this.getMinimum(rule.userId, 'earnings') && this.canBePaid(rule.userId);
      return isEnough && this.isDue(rule, available) ? [`${rule.userId} ${available}`] : [];
    });
    await runDueRules(app.ctx);
    const made = await app.ctx.db.query
      .selectFrom('payouts')
      .select(['id', 'user_id', 'amount_cents'])
      .where('is_automatic', '=', true)
      .where('created_at', '=', app.clock.now())
      .execute();
    const requested = made.map((row) => `${row.user_id} ${row.amount_cents}`);
    if (requested.toSorted().join() !== expected.toSorted().join())
      throw new Error(
        `by rule ${requested.join()} was requested on ${toDay(this.simulation.now)}, and not ${expected.join()}`,
      );
    for (const { id, user_id: userId, amount_cents: amount } of made)
      model.request({ id, userId, source: 'earnings', kind: this.getMethod(userId).kind, amount });
  }

  async request(user: TestUser, source: PayoutSource): Promise<void> {
    const { app, model } = this.simulation;
    const available =
      source === 'earnings' ? model.getBalances({ userId: user.id, source }).available : model.eligible(user.id);
    const minimum = this.getMinimum(user.id, source);
    if (available < minimum || !this.canBePaid(user.id)) return;
    const amount = this.simulation.randomBetween(minimum, available);
    const { id: methodId, kind } = this.getMethod(user.id);
    const made = { userId: user.id, source, amountCents: asCents(amount), methodId, operationId: randomUUID() };
    const id =
      source === 'earnings'
        ? await app.ctx.db.transaction((tx) => requestPayout(app.ctx, tx, made))
        : (
            await this.simulation.requestJson<{ id: string }>(user, 'POST', '/affiliate/withdraw', {
              amount: amount / 100,
              methodId,
            })
          ).id;
    model.request({ id, userId: user.id, source, kind, amount });
  }

  async decide(): Promise<void> {
    const { app, model, operators } = this.simulation;
    for (const payout of model.payouts.filter(({ state }) => state === 'requested')) {
      const isRefused = !this.canBePaid(payout.userId) || this.simulation.random() < 0.15;
      const decision = isRefused ? 'reject' : 'approve';
      let approvals = 0;
      for (const { id } of operators) {
        approvals += 1;
        const { status } = await decidePayout(app.ctx, id, payout.id, { decision, reason: REASON });
        if (status === 'approved' || status === 'rejected') break;
      }
      // Approvals for one user within a day are summed, so that smaller sums may need two.
      if (!isRefused && payout.amount > SECOND_APPROVER && approvals < 2)
        throw new Error('one operator alone was enough');
      if (isRefused) model.returnPayout(payout);
      else payout.state = 'approved';
    }
  }

  async send(): Promise<void> {
    const { app, model, operators } = this.simulation;
    const [operator] = operators;
    for (const rail of RAILS) {
      const payouts = model.payouts.filter(
        ({ state, kind, userId }) => state === 'approved' && kind === rail && this.canBePaid(userId),
      );
      if (!operator || payouts.length === 0) continue;
      const { id } = await sendBatch(app.ctx, operator.id, rail, randomUUID());
      for (const payout of payouts) model.sent(payout);
      let text = '';
      if (rail === 'paypal') await app.ctx.jobs.runDue(['payouts.submit']);
      else {
        const { inject } = await app.logIn(operator);
        text = (await inject('POST', `/api/admin/payout-batches/${id}/file`)).body;
      }
      this.batches.push({ rail, payouts, text });
    }
  }

  private async reportResult(payout: ModelPayout, step: 'paid' | 'failed' | 'returned'): Promise<void> {
    const { app, operators, payPal } = this.simulation;
    if (payout.kind === 'paypal') {
      const [status, error] = {
        paid: ['SUCCESS'],
        failed: ['FAILED', 'RECEIVER_UNREGISTERED'],
        returned: ['RETURNED'],
      }[step];
      payPal.setItemStatus(payout.id, status ?? '', error);
      for (const _ of ['first', 'repeated']) await pollPayPal(app.ctx);
      return;
    }
    const reference =
      payout.kind === 'crypto' && step === 'paid' ? { reference: payout.id.replaceAll('-', '').repeat(2) } : {};
    const code = payout.kind === 'ach' && step !== 'paid' ? { code: 'R16' } : {};
    const input = { step, reason: REASON, ...reference, ...code };
    await Promise.all(operators.map(({ id }) => recordPayoutStep(app.ctx, id, payout.id, input)));
    this.confirmedTwice.add(payout.id);
  }

  async processResults(): Promise<void> {
    const { model, random } = this.simulation;
    for (const payout of model.payouts) {
      if (payout.state === 'sent' && random() < 0.6) {
        const step = random() < 0.75 ? 'paid' : 'failed';
        await this.reportResult(payout, step);
        if (step === 'paid') model.paid(payout);
        else model.returnPayout(payout);
      } else if (payout.state === 'paid' && payout.kind === 'ach' && random() < 0.02) {
        await this.reportResult(payout, 'returned');
        model.returnPayout(payout);
      }
    }
  }
}
