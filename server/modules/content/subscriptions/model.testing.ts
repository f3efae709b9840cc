/** What subscriptions must do, in plain arithmetic without a database. It shares no code with the product. */
import { addDays, getPeriodEnd, type ModelUnit } from './model-dates.testing.ts';

const HOUR_MS = 3_600_000;
const ATTEMPT_HOURS = [0, 24, 48, 72, 120];
const GRACE_MS = 120 * HOUR_MS;
const REFUND_MS = 24 * HOUR_MS;

export type ModelOption = { unit: ModelUnit; count: 1 | 3 | 6 | 12; cents: number };
export type ModelTier = { id: string; creatorId: string; trialDays: number | null; options: readonly ModelOption[] };
/** `cents` of a discounted price are rounded half up. */
export type ModelOffer = {
  code: string;
  creatorId: string;
  tierId: string | null;
  percent: number;
  charges: number;
  audience: 'everyone' | 'new' | 'returning';
  maxUses: number | null;
  endMs: number;
  isClosed: boolean;
  usedBy: string[];
};
type ModelPeriod = {
  number: number;
  startMs: number;
  endMs: number;
  cents: number;
  chargedMs: number;
  isOpened: boolean;
  refundedCents: number;
};
export type ModelSubscription = {
  id: string;
  fanId: string;
  tier: ModelTier;
  unit: ModelUnit;
  count: number;
  cents: number;
  anchorMs: number;
  zone: string;
  number: number;
  paidUntilMs: number | null;
  isRenewing: boolean;
  dueMs: number | null;
  hasFailed: boolean;
  newPrice: { cents: number; fromMs: number } | undefined;
  agreedPrice: { cents: number; fromMs: number } | undefined;
  discount: { percent: number; charges: number } | undefined;
  periods: ModelPeriod[];
  end: string | null;
};
export type Outcome = 'OK' | 'CONFLICT' | 'INSUFFICIENT_FUNDS';
export type ModelSubscribe = {
  id: string;
  fanId: string;
  tier: ModelTier;
  option: ModelOption;
  zone: string;
  offer: ModelOffer | undefined;
};

export class SubscriptionModel {
  readonly subscriptions: ModelSubscription[] = [];
  readonly wallets = new Map<string, number>();
  chargedCents = 0;
  discountedCharges = 0;
  refundedCents = 0;

  deposit(fanId: string, cents: number): void {
    this.wallets.set(fanId, this.getWallet(fanId) + cents);
  }

  getWallet(fanId: string): number {
    return this.wallets.get(fanId) ?? 0;
  }

  listRunning(): ModelSubscription[] {
    return this.subscriptions.filter(({ end }) => end === null);
  }

  findCurrent(fanId: string, creatorId: string): ModelSubscription | undefined {
    return this.listRunning().find((one) => one.fanId === fanId && one.tier.creatorId === creatorId);
  }

  private hasSubscribed(fanId: string, creatorId: string): boolean {
    return this.subscriptions.some((one) => one.fanId === fanId && one.tier.creatorId === creatorId);
  }

  getTrialDays(fanId: string, tier: ModelTier): number | null {
    return this.hasSubscribed(fanId, tier.creatorId) ? null : tier.trialDays;
  }

  private canUse(offer: ModelOffer, { fanId, tier }: ModelSubscribe, isSubscribed: boolean, nowMs: number): boolean {
    const { audience, maxUses, usedBy } = offer;
    if (offer.isClosed || offer.endMs <= nowMs || (maxUses !== null && usedBy.length >= maxUses)) return false;
    if (offer.creatorId !== tier.creatorId || (offer.tierId !== null && offer.tierId !== tier.id)) return false;
    const had = this.hasSubscribed(fanId, tier.creatorId);
    const isMeant = { everyone: true, new: !had, returning: had && !isSubscribed }[audience];
    return isMeant && !usedBy.includes(fanId);
  }

  private getDiscounted(cents: number, percent: number): number {
    const hundredths = cents * (100 - percent);
    return (hundredths - (hundredths % 100)) / 100 + (hundredths % 100 >= 50 ? 1 : 0);
  }

  /** What a fan sees before subscribing, in cents. */
  calculateFirstCharges({ fanId, tier, option, offer }: Omit<ModelSubscribe, 'id' | 'zone'>): {
    today: number;
    renewal: number;
  } {
    const discounted = offer ? this.getDiscounted(option.cents, offer.percent) : option.cents;
    if (this.getTrialDays(fanId, tier) !== null) return { today: 0, renewal: discounted };
    return { today: discounted, renewal: offer && offer.charges > 1 ? discounted : option.cents };
  }

  private end(one: ModelSubscription, reason: string): void {
    Object.assign(one, { end: reason, isRenewing: false, dueMs: null, newPrice: undefined });
  }

  private getPriceAt({ cents, agreedPrice }: ModelSubscription, startMs: number): number {
    return agreedPrice && agreedPrice.fromMs <= startMs ? agreedPrice.cents : cents;
  }

  private getChargeAt(one: ModelSubscription, startMs: number): number {
    const cents = this.getPriceAt(one, startMs);
    return one.discount && one.discount.charges > 0 ? this.getDiscounted(cents, one.discount.percent) : cents;
  }

  private charge(
    one: ModelSubscription,
    period: Pick<ModelPeriod, 'number' | 'startMs' | 'endMs'>,
    nowMs: number,
    isOpened = false,
  ): void {
    if (this.getPriceAt(one, period.startMs) !== one.cents) {
      one.cents = this.getPriceAt(one, period.startMs);
      one.agreedPrice = undefined;
    }
    const cents = this.getChargeAt(one, period.startMs);
    if (one.discount) {
      one.discount.charges -= 1;
      if (one.discount.charges < 0) one.discount = undefined;
    }
    this.deposit(one.fanId, -cents);
    this.chargedCents += cents;
    if (cents < one.cents) this.discountedCharges += 1;
    one.periods.push({ ...period, cents, chargedMs: nowMs, isOpened, refundedCents: 0 });
    Object.assign(one, { number: period.number, paidUntilMs: period.endMs, dueMs: period.endMs, hasFailed: false });
  }

  private refund(one: ModelSubscription, period: ModelPeriod, cents: number): void {
    period.refundedCents = cents;
    this.refundedCents += cents;
    this.deposit(one.fanId, cents);
  }

  private findPeriod(one: ModelSubscription): ModelPeriod | undefined {
    return one.periods.find(({ number }) => number === one.number);
  }

  private getUnusedCents(one: ModelSubscription, nowMs: number): number {
    const period = this.findPeriod(one);
    if (!period || period.endMs <= nowMs) return 0;
    return Math.floor((period.cents * (period.endMs - nowMs)) / (period.endMs - period.startMs));
  }

  subscribe(input: ModelSubscribe, nowMs: number): Outcome {
    const { id, fanId, tier, option, zone, offer } = input;
    const current = this.findCurrent(fanId, tier.creatorId);
    const isOver =
      current !== undefined && !current.isRenewing && current.paidUntilMs !== null && current.paidUntilMs <= nowMs;
    if (current?.tier.id === tier.id && !isOver) return 'CONFLICT';
    if (offer && (option.cents === 0 || !this.canUse(offer, input, current !== undefined && !isOver, nowMs)))
      return 'CONFLICT';
    const trialDays = this.getTrialDays(fanId, tier);
    const period = current && this.findPeriod(current);
    const wasOpened = period !== undefined && period.endMs > nowMs && period.isOpened;
    const maxCents = wasOpened ? this.calculateFirstCharges(input).today : Number.POSITIVE_INFINITY;
    const unusedCents = current ? Math.min(this.getUnusedCents(current, nowMs), maxCents) : 0;
    if (
      option.cents > 0 &&
      trialDays === null &&
      this.getWallet(fanId) + unusedCents < this.calculateFirstCharges(input).today
    )
      return 'INSUFFICIENT_FUNDS';
    if (current && period && unusedCents > 0) this.refund(current, period, unusedCents);
    if (current) this.end(current, isOver ? 'canceled' : 'changed');
    const isFree = option.cents === 0;
    const anchorMs = trialDays === null ? nowMs : addDays(nowMs, zone, trialDays);
    const started: ModelSubscription = {
      ...{ id, fanId, tier, zone, anchorMs, unit: option.unit, count: option.count, cents: option.cents },
      ...{ number: 0, paidUntilMs: isFree ? null : anchorMs, dueMs: isFree ? null : anchorMs, isRenewing: !isFree },
      ...{ hasFailed: false, newPrice: undefined, agreedPrice: undefined, discount: undefined, periods: [], end: null },
    };
    if (offer) started.discount = { percent: offer.percent, charges: offer.charges };
    offer?.usedBy.push(fanId);
    this.subscriptions.push(started);
    if (!isFree && trialDays === null)
      this.charge(started, { number: 1, startMs: nowMs, endMs: getPeriodEnd(started, 1) }, nowMs, wasOpened);
    return 'OK';
  }

  cancel(one: ModelSubscription, nowMs: number): Outcome {
    if (one.end === 'canceled') return 'OK';
    if (one.end !== null) return 'CONFLICT';
    if (one.paidUntilMs === null || one.paidUntilMs <= nowMs) this.end(one, 'canceled');
    else Object.assign(one, { isRenewing: false, dueMs: one.paidUntilMs, hasFailed: false });
    return 'OK';
  }

  private isPriceRefused({ newPrice }: ModelSubscription, nowMs: number): boolean {
    return newPrice !== undefined && newPrice.fromMs <= nowMs;
  }

  resume(one: ModelSubscription, nowMs: number): Outcome {
    if (one.end !== null) return 'CONFLICT';
    if (one.isRenewing || one.paidUntilMs === null) return 'OK';
    if (one.paidUntilMs <= nowMs || this.isPriceRefused(one, nowMs)) return 'CONFLICT';
    Object.assign(one, { isRenewing: true, dueMs: one.paidUntilMs });
    return 'OK';
  }

  private renew(one: ModelSubscription, nowMs: number): Outcome {
    let startMs = one.paidUntilMs ?? nowMs;
    let number = one.number + 1;
    const hasAccess = nowMs <= startMs + GRACE_MS;
    while (!hasAccess && getPeriodEnd(one, number) <= nowMs) {
      startMs = getPeriodEnd(one, number);
      number += 1;
    }
    if (this.getWallet(one.fanId) < this.getChargeAt(one, startMs)) return 'INSUFFICIENT_FUNDS';
    this.charge(one, { number, startMs, endMs: getPeriodEnd(one, number) }, nowMs);
    return 'OK';
  }

  pay(one: ModelSubscription, nowMs: number): Outcome {
    if (one.end !== null || !one.hasFailed || this.isPriceRefused(one, nowMs)) return 'CONFLICT';
    return this.renew(one, nowMs);
  }

  acceptPrice(one: ModelSubscription, cents: number): Outcome {
    if (one.end !== null) return 'CONFLICT';
    if (!one.newPrice && (one.agreedPrice?.cents ?? one.cents) === cents) return 'OK';
    if (one.newPrice?.cents !== cents) return 'CONFLICT';
    Object.assign(one, { agreedPrice: one.newPrice, newPrice: undefined });
    return 'OK';
  }

  refundLast(one: ModelSubscription, nowMs: number): Outcome {
    const period = this.findPeriod(one);
    if (one.end !== null || !period || period.isOpened || nowMs >= period.chargedMs + REFUND_MS) return 'CONFLICT';
    this.refund(one, period, period.cents);
    this.end(one, 'refunded');
    return 'OK';
  }

  open(one: ModelSubscription): void {
    const period = one.end === null && this.findPeriod(one);
    if (period) period.isOpened = true;
  }

  /** Everything that is due now, the longest overdue first. */
  runJob(nowMs: number): void {
    const due = this.listRunning()
      .filter(({ dueMs }) => dueMs !== null && dueMs <= nowMs)
      .toSorted((a, b) => (a.dueMs ?? 0) - (b.dueMs ?? 0) || (a.id < b.id ? -1 : 1));
    for (const one of due) {
      if (!one.isRenewing) this.end(one, 'canceled');
      else if (this.isPriceRefused(one, nowMs)) this.end(one, 'priceChange');
      else if (this.renew(one, nowMs) === 'INSUFFICIENT_FUNDS') this.fail(one, nowMs);
    }
  }

  private fail(one: ModelSubscription, nowMs: number): void {
    const next = ATTEMPT_HOURS.map((hours) => (one.paidUntilMs ?? 0) + hours * HOUR_MS).find((at) => at > nowMs);
    if (next === undefined) this.end(one, 'unpaid');
    else Object.assign(one, { hasFailed: true, dueMs: next });
  }
}
