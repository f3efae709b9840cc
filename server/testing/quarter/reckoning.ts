/** Reference model by the rules of docs/money.md. It shares no code with the product. Cents, milliseconds, UTC days. */

export const DAY_MS = 86_400_000;
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const nearest = (value: number) => Math.floor(value + 0.5);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

type Side = 'customer' | 'creator';
export type Source = 'earnings' | 'referrals';
type Commission = { affiliateId: string; side: Side; cents: number; back: number; unpaid: number; waiting: number };
export type Sale = {
  id: string;
  kind: string;
  fanId: string;
  creatorId: string;
  at: number;
  gross: number;
  fee: number;
  back: number;
  backFee: number;
  waiting: number;
  clearsAt: number;
  clearedAt: number | null;
  commissions: Commission[];
};
export type Deposit = { fanId: string; amount: number; fee: number; taken: number; takenFee: number };
export type Payout = {
  id: string;
  userId: string;
  source: Source;
  kind: string;
  amount: number;
  fee: number;
  state: 'requested' | 'approved' | 'sent' | 'paid' | 'over';
};
/** A claim without `payoutId` was transferred to the balance. */
type Claim = { customer: number; creator: number; payoutId: string | null };
export type Purse = { pending: number; available: number; reserved: number; owed: number };
export type Fan = { wallet: number; owed: number };
type Referral = { affiliateId: string; side: Side; basisPoints: number; from: number; until: number };
type Fees = { general: number; offer: number; offerUntil: number };

type Terms = { clearingDays: number; payoutFee: number; moveFee: number };

const keptOf = ({ gross, fee, back, backFee }: Sale) => gross - fee - (back - backFee);

export class Reckoning {
  readonly fans = new Map<string, Fan>();
  readonly creators = new Map<string, Purse>();
  readonly affiliates = new Map<string, Purse>();
  readonly claims = new Map<string, Claim[]>();
  readonly sales: Sale[] = [];
  readonly payouts: Payout[] = [];
  readonly referrals = new Map<string, Referral>();
  readonly fees = new Map<string, Fees>();
  readonly house = {
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

  fan(id: string): Fan {
    return known(this.fans, id);
  }

  purse({ userId, source }: { userId: string; source: Source }): Purse {
    return known(source === 'earnings' ? this.creators : this.affiliates, userId);
  }

  private credit(fanId: string, cents: number): void {
    const fan = this.fan(fanId);
    const kept = Math.min(fan.owed, fan.wallet + cents);
    fan.wallet += cents - kept;
    fan.owed -= kept;
  }

  deposit(fanId: string, amount: number, fee: number): Deposit {
    this.house.processor += amount + fee;
    this.house.depositFees += fee;
    this.credit(fanId, amount);
    return { fanId, amount, fee, taken: 0, takenFee: 0 };
  }

  settle(sums: { bank: number; fees: number; chargebackFees: number }): void {
    this.house.processor -= sums.bank + sums.fees + sums.chargebackFees;
    this.house.bank += sums.bank;
    this.house.processorFees += sums.fees;
    this.house.chargebackFees += sums.chargebackFees;
  }

  takeBack(deposit: Deposit, asked: number): void {
    const whole = deposit.amount + deposit.fee;
    const card = Math.min(asked, whole - deposit.taken);
    const fee = nearest((deposit.fee * (deposit.taken + card)) / whole) - deposit.takenFee;
    deposit.taken += card;
    deposit.takenFee += fee;
    this.house.processor -= card;
    this.house.depositFees -= fee;
    const fan = this.fan(deposit.fanId);
    const covered = Math.min(fan.wallet, card - fee);
    fan.wallet -= covered;
    const short = card - fee - covered;
    fan.owed += short;
    this.unpaid(deposit.fanId, short);
  }

  /** Unpaid sales earn no commission. */
  private unpaid(fanId: string, short: number): void {
    let left = short;
    for (const sale of this.sales.filter((one) => one.fanId === fanId && one.commissions.length > 0).toReversed()) {
      const open = sale.gross - sale.back - Math.max(...sale.commissions.map(({ unpaid }) => unpaid));
      const lost = Math.max(0, Math.min(open, left));
      left -= lost;
      if (lost > 0) this.returnCommissions(sale, lost);
    }
  }

  private returnCommissions(sale: Sale, unpaid: number): void {
    for (const part of sale.commissions) {
      part.unpaid += unpaid;
      const due = nearest((part.cents * Math.min(sale.gross, sale.back + part.unpaid)) / sale.gross) - part.back;
      part.back += due;
      this.house.commissions -= due;
      const purse = known(this.affiliates, part.affiliateId);
      if (part.waiting > 0) {
        part.waiting -= due;
        purse.pending -= due;
      } else takeOut(purse, due);
    }
  }

  private feeOf(creatorId: string, gross: number, at: number): number {
    const { general, offer, offerUntil } = known(this.fees, creatorId);
    return Math.floor((gross * (at < offerUntil ? offer : general) + 5_000) / 10_000);
  }

  sell(made: { id: string; kind: string; fanId: string; creatorId: string; gross: number; at: number }): Sale {
    const { fanId, creatorId, gross, at } = made;
    const fee = this.feeOf(creatorId, gross, at);
    this.fan(fanId).wallet -= gross;
    this.house.fees += fee;
    known(this.creators, creatorId).pending += gross - fee;
    const commissions = [fanId, creatorId].flatMap((id): Commission[] => {
      const by = this.referrals.get(id);
      if (!by || at < by.from || at >= by.until) return [];
      const cents = Math.min(Math.floor((gross * by.basisPoints) / 10_000), Math.floor(fee / 2));
      if (cents === 0) return [];
      this.house.commissions += cents;
      known(this.affiliates, by.affiliateId).pending += cents;
      return [{ affiliateId: by.affiliateId, side: by.side, cents, back: 0, unpaid: 0, waiting: cents }];
    });
    const clearsAt = at + this.terms.clearingDays * DAY_MS;
    const sale = { ...made, fee, back: 0, backFee: 0, waiting: gross - fee, clearsAt, clearedAt: null, commissions };
    this.sales.push(sale);
    return sale;
  }

  refund(sale: Sale, asked: number): void {
    const gross = Math.min(asked, sale.gross - sale.back);
    const fee = nearest((sale.fee * (sale.back + gross)) / sale.gross) - sale.backFee;
    sale.back += gross;
    sale.backFee += fee;
    this.returnCommissions(sale, 0);
    this.house.fees -= fee;
    const purse = known(this.creators, sale.creatorId);
    if (sale.waiting > 0) {
      sale.waiting -= gross - fee;
      purse.pending -= gross - fee;
    } else takeOut(purse, gross - fee);
    this.credit(sale.fanId, gross);
  }

  clear(now: number): void {
    for (const sale of this.sales) {
      if (sale.clearsAt > now) continue;
      for (const part of sale.commissions) {
        clearInto(known(this.affiliates, part.affiliateId), part.waiting);
        part.waiting = 0;
      }
      if (sale.waiting === 0) continue;
      clearInto(known(this.creators, sale.creatorId), sale.waiting);
      sale.waiting = 0;
      sale.clearedAt = now;
    }
  }

  request(made: { id: string; userId: string; source: Source; kind: string; amount: number }): Payout {
    const fee = made.source === 'earnings' ? 0 : nearest((made.amount * this.terms.payoutFee) / 10_000);
    if (made.source === 'referrals') this.claim(made.userId, made.amount, made.id);
    const purse = this.purse(made);
    purse.available -= made.amount;
    purse.reserved += made.amount;
    const payout: Payout = { ...made, fee, state: 'requested' };
    this.payouts.push(payout);
    return payout;
  }

  sent(payout: Payout): void {
    this.purse(payout).reserved -= payout.amount;
    this.house.payoutFees += payout.fee;
    payout.state = 'sent';
  }

  paid(payout: Payout): void {
    this.house.bank -= payout.amount - payout.fee;
    payout.state = 'paid';
  }

  comesBack(payout: Payout): void {
    const purse = this.purse(payout);
    if (payout.state === 'requested' || payout.state === 'approved') purse.reserved -= payout.amount;
    else this.house.payoutFees -= payout.fee;
    if (payout.state === 'paid') this.house.bank += payout.amount - payout.fee;
    payout.state = 'over';
    clearInto(purse, payout.amount, false);
  }

  move(affiliateId: string, cents: number): void {
    this.claim(affiliateId, cents, null);
    const fee = Math.floor((cents * this.terms.moveFee + 5_000) / 10_000);
    known(this.affiliates, affiliateId).available -= cents;
    this.house.payoutFees += fee;
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
    const { available, owed } = known(this.affiliates, affiliateId);
    return Math.max(0, available - owed);
  }

  side(affiliateId: string, side: Side) {
    const figures = this.figures(affiliateId, side);
    // The other group covers a negative sum.
    const other = this.figures(affiliateId, side === 'customer' ? 'creator' : 'customer');
    return { ...figures, eligible: Math.max(0, figures.left + Math.min(0, other.left)) };
  }

  private figures(affiliateId: string, side: Side) {
    const parts = this.sales.flatMap(({ commissions }) =>
      commissions.filter((one) => one.affiliateId === affiliateId && one.side === side),
    );
    const claims = (this.claims.get(affiliateId) ?? []).map((claim) => {
      const state = this.payouts.find(({ id }) => id === claim.payoutId)?.state ?? 'paid';
      return { cents: claim[side], state };
    });
    const taken = (isClaimed: boolean) =>
      sumOf(claims.flatMap(({ cents, state }) => (state !== 'over' && (state === 'paid') === isClaimed ? cents : [])));
    const earned = sumOf(parts.map(({ cents, back }) => cents - back));
    const pending = sumOf(parts.map(({ waiting }) => waiting));
    const [claimed, requested] = [taken(true), taken(false)];
    return { earned, pending, claimed, requested, left: earned - pending - claimed - requested };
  }

  salesOf(creatorId: string): Sale[] {
    return this.sales.filter((sale) => sale.creatorId === creatorId);
  }

  earned(sales: readonly Sale[]) {
    const fees = sumOf(sales.map(({ fee, backFee }) => fee - backFee));
    return { net: sumOf(sales.map(keptOf)), fees, count: sales.length };
  }

  keptOf(sale: Sale): number {
    return keptOf(sale);
  }
}

function known<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`nobody knows ${String(key)}`);
  return value;
}

/** The rest becomes debt. */
function takeOut(purse: Purse, cents: number): void {
  const taken = Math.min(purse.available, cents);
  purse.available -= taken;
  purse.owed += cents - taken;
}

function clearInto(purse: Purse, cents: number, isPending = true): void {
  if (isPending) purse.pending -= cents;
  const kept = Math.min(purse.owed, cents);
  purse.owed -= kept;
  purse.available += cents - kept;
}
