/** Banks and PayPal repeat their responses. */

import { randomUUID } from 'node:crypto';
import { payoutMethodId } from '@stagedoor/contract/atoms/ids.ts';
import { asCents } from '@stagedoor/contract/atoms/money.ts';
import type { Rail } from '@stagedoor/contract/payout-desk.ts';
import { decidePayout, requestPayout, sendBatch, stepPayout } from '../../features/payouts/index.ts';
import { followRules, setRule } from '../../features/payouts/rules.ts';
import { chase } from '../../features/payouts/submit.ts';
import type { TestUser } from '../app.ts';
import type { Business } from './business.ts';
import { DAY_MS, dayOf, type Payout, type Source } from './reckoning.ts';

const MINIMUM = { earnings: { ach: 2_000, paypal: 2_000, crypto: 5_000 }, referrals: 5_000 } as const;
const SECOND_APPROVER = 100_000;
const RAILS: readonly Rail[] = ['ach', 'paypal', 'crypto'];
const GROUND = 'As the quarter has it';

type Rule = { userId: string; recurrence: 'weekly' | 'monthaly' | null; above: number | null; since: number };
type SentBatch = { rail: Rail; payouts: Payout[]; text: string };

export class Paying {
  private readonly business: Business;
  private readonly rules: Rule[] = [];
  readonly batches: SentBatch[] = [];
  readonly twice = new Set<string>();

  constructor(business: Business) {
    this.business = business;
  }

  private methodOf(userId: string) {
    const method = this.business.methods.get(userId);
    if (!method) throw new Error('nobody pays them');
    return method;
  }

  private minimumOf(userId: string, source: Source): number {
    return source === 'referrals' ? MINIMUM.referrals : MINIMUM.earnings[this.methodOf(userId).kind];
  }

  private mayBePaid(userId: string): boolean {
    const { books } = this.business;
    return (books.creators.get(userId) ?? books.fan(userId)).owed === 0;
  }

  async setRules(): Promise<void> {
    const { app, creators, now } = this.business;
    const terms = [
      { recurrence: 'monthaly', above: null },
      { recurrence: null, above: 15_000 },
      { recurrence: 'weekly', above: null },
    ] as const;
    for (const [index, { recurrence, above }] of terms.entries()) {
      const { id: userId } = creators[index] ?? this.business.pick(creators);
      const methodId = payoutMethodId.parse(this.methodOf(userId).id);
      const rule = { methodId, recurrence, above: above === null ? null : above / 100 };
      await setRule(app.ctx, { userId, source: 'earnings' }, { rule });
      this.rules.push({ userId, recurrence, above, since: now });
    }
  }

  private isDue({ recurrence, above, since }: Rule, available: number): boolean {
    const { now } = this.business;
    if (above !== null) return available > above;
    const [from, today] = [new Date(since), new Date(now)];
    const days = (Date.parse(dayOf(now)) - Date.parse(dayOf(since))) / DAY_MS;
    if (recurrence === 'weekly') return days > 0 && days % 7 === 0;
    const last = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0)).getUTCDate();
    return days > 0 && today.getUTCDate() === Math.min(from.getUTCDate(), last);
  }

  async followRules(): Promise<void> {
    const { app, books } = this.business;
    const expected = this.rules.flatMap((rule) => {
      const { available } = books.purse({ userId: rule.userId, source: 'earnings' });
      const isEnough = available >= this.minimumOf(rule.userId, 'earnings') && this.mayBePaid(rule.userId);
      return isEnough && this.isDue(rule, available) ? [`${rule.userId} ${available}`] : [];
    });
    await followRules(app.ctx);
    const made = await app.ctx.db.query
      .selectFrom('payouts')
      .select(['id', 'user_id', 'amount_cents'])
      .where('is_automatic', '=', true)
      .where('created_at', '=', app.clock.now())
      .execute();
    const requested = made.map((row) => `${row.user_id} ${row.amount_cents}`);
    if (requested.toSorted().join() !== expected.toSorted().join())
      throw new Error(
        `by rule ${requested.join()} was requested on ${dayOf(this.business.now)}, and not ${expected.join()}`,
      );
    for (const { id, user_id: userId, amount_cents: amount } of made)
      books.request({ id, userId, source: 'earnings', kind: this.methodOf(userId).kind, amount });
  }

  async request(user: TestUser, source: Source): Promise<void> {
    const { app, books } = this.business;
    const available =
      source === 'earnings' ? books.purse({ userId: user.id, source }).available : books.eligible(user.id);
    const minimum = this.minimumOf(user.id, source);
    if (available < minimum || !this.mayBePaid(user.id)) return;
    const amount = this.business.between(minimum, available);
    const { id: methodId, kind } = this.methodOf(user.id);
    const made = { userId: user.id, source, amountCents: asCents(amount), methodId, operationId: randomUUID() };
    const id =
      source === 'earnings'
        ? await app.ctx.db.transaction((tx) => requestPayout(app.ctx, tx, made))
        : (
            await this.business.ask<{ id: string }>(user, 'POST', '/affiliate/withdraw', {
              amount: amount / 100,
              methodId,
            })
          ).id;
    books.request({ id, userId: user.id, source, kind, amount });
  }

  async decide(): Promise<void> {
    const { app, books, operators } = this.business;
    for (const payout of books.payouts.filter(({ state }) => state === 'requested')) {
      const isRefused = !this.mayBePaid(payout.userId) || this.business.random() < 0.15;
      const decision = isRefused ? 'reject' : 'approve';
      let asked = 0;
      for (const { id } of operators) {
        asked += 1;
        const { status } = await decidePayout(app.ctx, id, payout.id, { decision, ground: GROUND });
        if (status === 'approved' || status === 'rejected') break;
      }
      // Approvals for one user within a day are summed, so that smaller sums may need two.
      if (!isRefused && payout.amount > SECOND_APPROVER && asked < 2) throw new Error('one operator alone was enough');
      if (isRefused) books.comesBack(payout);
      else payout.state = 'approved';
    }
  }

  async send(): Promise<void> {
    const { app, books, operators } = this.business;
    const [operator] = operators;
    for (const rail of RAILS) {
      const payouts = books.payouts.filter(
        ({ state, kind, userId }) => state === 'approved' && kind === rail && this.mayBePaid(userId),
      );
      if (!operator || payouts.length === 0) continue;
      const { id } = await sendBatch(app.ctx, operator.id, rail, randomUUID());
      for (const payout of payouts) books.sent(payout);
      let text = '';
      if (rail === 'paypal') await app.ctx.jobs.runDue(['payouts.submit']);
      else {
        const { inject } = await app.logIn(operator);
        text = (await inject('POST', `/api/admin/payout-batches/${id}/file`)).body;
      }
      this.batches.push({ rail, payouts, text });
    }
  }

  private async tell(payout: Payout, step: 'paid' | 'failed' | 'returned'): Promise<void> {
    const { app, operators, payPal } = this.business;
    if (payout.kind === 'paypal') {
      const [status, error] = {
        paid: ['SUCCESS'],
        failed: ['FAILED', 'RECEIVER_UNREGISTERED'],
        returned: ['RETURNED'],
      }[step];
      payPal.tell(payout.id, status ?? '', error);
      for (const _ of ['asked', 'asked again']) await chase(app.ctx);
      return;
    }
    const reference =
      payout.kind === 'crypto' && step === 'paid' ? { reference: payout.id.replaceAll('-', '').repeat(2) } : {};
    const code = payout.kind === 'ach' && step !== 'paid' ? { code: 'R16' } : {};
    const told = { step, ground: GROUND, ...reference, ...code };
    await Promise.all(operators.map(({ id }) => stepPayout(app.ctx, id, payout.id, told)));
    this.twice.add(payout.id);
  }

  async hear(): Promise<void> {
    const { books, random } = this.business;
    for (const payout of books.payouts) {
      if (payout.state === 'sent' && random() < 0.6) {
        const step = random() < 0.75 ? 'paid' : 'failed';
        await this.tell(payout, step);
        if (step === 'paid') books.paid(payout);
        else books.comesBack(payout);
      } else if (payout.state === 'paid' && payout.kind === 'ach' && random() < 0.02) {
        await this.tell(payout, 'returned');
        books.comesBack(payout);
      }
    }
  }
}
