/** Reference model by the rules of docs/money.md. It shares no code with the product. Cents, milliseconds, UTC days. */

export const DAY_MS = 86_400_000;
export const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
const nearest = (value: number) => Math.floor(value + 0.5);
const addUp = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

type Side = 'customer' | 'creator';
export type PayoutSource = 'earnings' | 'referrals';
type Commission = {
  affiliateId: string;
  side: Side;
  cents: number;
  refunded: number;
  unpaid: number;
  uncleared: number;
};
export type ModelSale = {
  id: string;
  kind: string;
  fanId: string;
  creatorId: string;
  at: number;
  gross: number;
  fee: number;
  refunded: number;
  refundedFee: number;
  uncleared: number;
  clearsAt: number;
  clearedAt: number | null;
  commissions: Commission[];
};
export type ModelDeposit = { fanId: string; amount: number; fee: number; reversed: number; reversedFee: number };
export type ModelPayout = {
  id: string;
  userId: string;
  source: PayoutSource;
  kind: string;
  amount: number;
  fee: number;
  state: 'requested' | 'approved' | 'sent' | 'paid' | 'over';
};
/** A claim without `payoutId` was transferred to the balance. */
type Claim = { customer: number; creator: number; payoutId: string | null };
export type PayableBalances = { pending: number; available: number; reserved: number; owed: number };
export type FanBalances = { wallet: number; owed: number };
type Referral = { affiliateId: string; side: Side; basisPoints: number; from: number; until: number };
type Fees = { general: number; offer: number; offerUntil: number };

type Terms = { clearingDays: number; payoutFee: number; moveFee: number };

const getNetAfterRefunds = ({ gross, fee, refunded, refundedFee }: ModelSale) => gross - fee - (refunded - refundedFee);

export class ReferenceModel {
  readonly fans = new Map<string, FanBalances>();
  readonly creators = new Map<string, PayableBalances>();
  readonly affiliates = new Map<string, PayableBalances>();
  readonly claims = new Map<string, Claim[]>();
  readonly sales: ModelSale[] = [];
  readonly payouts: ModelPayout[] = [];
  readonly referrals = new Map<string, Referral>();
  readonly fees = new Map<string, Fees>();
  readonly platform = {
    fees: 0,
    depositFees: 0,
    payoutFees: 0,
    commissions: 0,
    processor: 0,
    bank: 0,
    processorFees: 0,
    chargebackFees: 0,
  };
  readonly terms: Terms;

  constructor(terms: Terms) {
    this.terms = terms;
  }

  fan(id: string): FanBalances {
    return getKnown(this.fans, id);
  }

  getBalances({ userId, source }: { userId: string; source: PayoutSource }): PayableBalances {
    return getKnown(source === 'earnings' ? this.creators : this.affiliates, userId);
  }

  private credit(fanId: string, cents: number): void {
    const fan = this.fan(fanId);
    const debtPaid = Math.min(fan.owed, fan.wallet + cents);
    fan.wallet += cents - debtPaid;
    fan.owed -= debtPaid;
  }

  deposit(fanId: string, amount: number, fee: number): ModelDeposit {
    this.platform.processor += amount + fee;
    this.platform.depositFees += fee;
    this.credit(fanId, amount);
    return { fanId, amount, fee, reversed: 0, reversedFee: 0 };
  }

  settle(sums: { bank: number; fees: number; chargebackFees: number }): void {
    this.platform.processor -= sums.bank + sums.fees + sums.chargebackFees;
    this.platform.bank += sums.bank;
    this.platform.processorFees += sums.fees;
    this.platform.chargebackFees += sums.chargebackFees;
  }

  reverseDeposit(deposit: ModelDeposit, requestedCents: number): void {
    const whole = deposit.amount + deposit.fee;
    const card = Math.min(requestedCents, whole - deposit.reversed);
    const fee = nearest((deposit.fee * (deposit.reversed + card)) / whole) - deposit.reversedFee;
    deposit.reversed += card;
    deposit.reversedFee += fee;
    this.platform.processor -= card;
    this.platform.depositFees -= fee;
    const fan = this.fan(deposit.fanId);
    const covered = Math.min(fan.wallet, card - fee);
    fan.wallet -= covered;
    const short = card - fee - covered;
    fan.owed += short;
    this.unpaid(deposit.fanId, short);
  }

  /** Unpaid sales earn no commission. */
  private unpaid(fanId: string, short: number): void {
    let remaining = short;
    for (const sale of this.sales.filter((one) => one.fanId === fanId && one.commissions.length > 0).toReversed()) {
      const open = sale.gross - sale.refunded - Math.max(...sale.commissions.map(({ unpaid }) => unpaid));
      const lost = Math.max(0, Math.min(open, remaining));
      remaining -= lost;
      if (lost > 0) this.returnCommissions(sale, lost);
    }
  }

  private returnCommissions(sale: ModelSale, unpaid: number): void {
    for (const part of sale.commissions) {
      part.unpaid += unpaid;
      const due =
        nearest((part.cents * Math.min(sale.gross, sale.refunded + part.unpaid)) / sale.gross) - part.refunded;
      part.refunded += due;
      this.platform.commissions -= due;
      const balances = getKnown(this.affiliates, part.affiliateId);
      if (part.uncleared > 0) {
        part.uncleared -= due;
        balances.pending -= due;
      } else takeOut(balances, due);
    }
  }

  private calculateFee(creatorId: string, gross: number, at: number): number {
    const { general, offer, offerUntil } = getKnown(this.fees, creatorId);
    return Math.floor((gross * (at < offerUntil ? offer : general) + 5_000) / 10_000);
  }

  sell(made: { id: string; kind: string; fanId: string; creatorId: string; gross: number; at: number }): ModelSale {
    const { fanId, creatorId, gross, at } = made;
    const fee = this.calculateFee(creatorId, gross, at);
    this.fan(fanId).wallet -= gross;
    this.platform.fees += fee;
    getKnown(this.creators, creatorId).pending += gross - fee;
    const commissions = [fanId, creatorId].flatMap((id): Commission[] => {
      const by = this.referrals.get(id);
      if (!by || at < by.from || at >= by.until) return [];
      const cents = Math.min(Math.floor((gross * by.basisPoints) / 10_000), Math.floor(fee / 2));
      if (cents === 0) return [];
      this.platform.commissions += cents;
      getKnown(this.affiliates, by.affiliateId).pending += cents;
      return [{ affiliateId: by.affiliateId, side: by.side, cents, refunded: 0, unpaid: 0, uncleared: cents }];
    });
    const clearsAt = at + this.terms.clearingDays * DAY_MS;
    const sale = {
      ...made,
      fee,
      refunded: 0,
      refundedFee: 0,
      uncleared: gross - fee,
      clearsAt,
      clearedAt: null,
      commissions,
    };
    this.sales.push(sale);
    return sale;
  }

  refund(sale: ModelSale, requestedCents: number): void {
    const gross = Math.min(requestedCents, sale.gross - sale.refunded);
    const fee = nearest((sale.fee * (sale.refunded + gross)) / sale.gross) - sale.refundedFee;
    sale.refunded += gross;
    sale.refundedFee += fee;
    this.returnCommissions(sale, 0);
    this.platform.fees -= fee;
    const balances = getKnown(this.creators, sale.creatorId);
    if (sale.uncleared > 0) {
      sale.uncleared -= gross - fee;
      balances.pending -= gross - fee;
    } else takeOut(balances, gross - fee);
    this.credit(sale.fanId, gross);
  }

  clear(now: number): void {
    for (const sale of this.sales) {
      if (sale.clearsAt > now) continue;
      for (const part of sale.commissions) {
        clearInto(getKnown(this.affiliates, part.affiliateId), part.uncleared);
        part.uncleared = 0;
      }
      if (sale.uncleared === 0) continue;
      clearInto(getKnown(this.creators, sale.creatorId), sale.uncleared);
      sale.uncleared = 0;
      sale.clearedAt = now;
    }
  }

  request(made: { id: string; userId: string; source: PayoutSource; kind: string; amount: number }): ModelPayout {
    const fee = made.source === 'earnings' ? 0 : nearest((made.amount * this.terms.payoutFee) / 10_000);
    if (made.source === 'referrals') this.claim(made.userId, made.amount, made.id);
    const balances = this.getBalances(made);
    balances.available -= made.amount;
    balances.reserved += made.amount;
    const payout: ModelPayout = { ...made, fee, state: 'requested' };
    this.payouts.push(payout);
    return payout;
  }

  sent(payout: ModelPayout): void {
    this.getBalances(payout).reserved -= payout.amount;
    this.platform.payoutFees += payout.fee;
    payout.state = 'sent';
  }

  paid(payout: ModelPayout): void {
    this.platform.bank -= payout.amount - payout.fee;
    payout.state = 'paid';
  }

  returnPayout(payout: ModelPayout): void {
    const balances = this.getBalances(payout);
    if (payout.state === 'requested' || payout.state === 'approved') balances.reserved -= payout.amount;
    else this.platform.payoutFees -= payout.fee;
    if (payout.state === 'paid') this.platform.bank += payout.amount - payout.fee;
    payout.state = 'over';
    clearInto(balances, payout.amount, false);
  }

  move(affiliateId: string, cents: number): void {
    this.claim(affiliateId, cents, null);
    const fee = Math.floor((cents * this.terms.moveFee + 5_000) / 10_000);
    getKnown(this.affiliates, affiliateId).available -= cents;
    this.platform.payoutFees += fee;
    this.credit(affiliateId, cents - fee);
  }

  /** Splits in proportion to what is left of each group, rounded to cents. */
  private claim(affiliateId: string, cents: number, payoutId: string | null): void {
    const [customer, creator] = [
      this.side(affiliateId, 'customer').eligible,
      this.side(affiliateId, 'creator').eligible,
    ];
    const exact = (cents * customer) / (customer + creator);
    const part = exact - Math.floor(exact) >= 0.5 ? Math.ceil(exact) : Math.floor(exact);
    const claims = this.claims.get(affiliateId) ?? [];
    this.claims.set(affiliateId, [...claims, { customer: part, creator: cents - part, payoutId }]);
  }

  eligible(affiliateId: string): number {
    const { available, owed } = getKnown(this.affiliates, affiliateId);
    return Math.max(0, available - owed);
  }

  side(affiliateId: string, side: Side) {
    const figures = this.figures(affiliateId, side);
    // The other group covers a negative sum.
    const other = this.figures(affiliateId, side === 'customer' ? 'creator' : 'customer');
    return { ...figures, eligible: Math.max(0, figures.unclaimed + Math.min(0, other.unclaimed)) };
  }

  private figures(affiliateId: string, side: Side) {
    const parts = this.sales.flatMap(({ commissions }) =>
      commissions.filter((one) => one.affiliateId === affiliateId && one.side === side),
    );
    const claims = (this.claims.get(affiliateId) ?? []).map((claim) => {
      const state = this.payouts.find(({ id }) => id === claim.payoutId)?.state ?? 'paid';
      return { cents: claim[side], state };
    });
    const sumClaims = (isClaimed: boolean) =>
      addUp(claims.flatMap(({ cents, state }) => (state !== 'over' && (state === 'paid') === isClaimed ? cents : [])));
    const earned = addUp(parts.map(({ cents, refunded }) => cents - refunded));
    const pending = addUp(parts.map(({ uncleared }) => uncleared));
    const [claimed, requested] = [sumClaims(true), sumClaims(false)];
    return { earned, pending, claimed, requested, unclaimed: earned - pending - claimed - requested };
  }

  listSales(creatorId: string): ModelSale[] {
    return this.sales.filter((sale) => sale.creatorId === creatorId);
  }

  earned(sales: readonly ModelSale[]) {
    const fees = addUp(sales.map(({ fee, refundedFee }) => fee - refundedFee));
    return { net: addUp(sales.map(getNetAfterRefunds)), fees, count: sales.length };
  }

  getNetAfterRefunds(sale: ModelSale): number {
    return getNetAfterRefunds(sale);
  }
}

function getKnown<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`unknown id ${String(key)}`);
  return value;
}

/** The rest becomes debt. */
function takeOut(balances: PayableBalances, cents: number): void {
  const covered = Math.min(balances.available, cents);
  balances.available -= covered;
  balances.owed += cents - covered;
}

function clearInto(balances: PayableBalances, cents: number, isPending = true): void {
  if (isPending) balances.pending -= cents;
  const debtPaid = Math.min(balances.owed, cents);
  balances.owed -= debtPaid;
  balances.available += cents - debtPaid;
}
