/** The interface of an automatic payout service. PayPal is one. Operators send files and lists by hand. */

export type PayoutItem = { id: string; receiver: string; cents: number };

/**
 * `accepted`: in transit, perhaps waiting to be claimed. `unknown`: it may have happened, so the money stays where it
 * is until the result is known.
 */
export type PayoutOutcome =
  | { state: 'accepted'; ref: string | null; isUnclaimed?: boolean }
  | { state: 'paid'; ref: string }
  /** Refused because of the receiver. */
  | { state: 'failed'; code: string; ref: string | null }
  /** Refused because of our account or as a whole batch. Nothing was paid, and it can be sent again. */
  | { state: 'refused'; code: string; detail: string }
  | { state: 'none' }
  | { state: 'returned'; code: string; ref: string }
  | { state: 'unknown'; reason: string };

/**
 * By our payout ids. `denied` means that the batch was denied after it was accepted, and items without another state
 * were not paid.
 */
export type ItemOutcomes = Pick<ReadonlyMap<string, PayoutOutcome>, 'get'> & { denied?: string };

export type SignedRequest = { headers: Readonly<Record<string, string | string[] | undefined>>; body: string };

export type PayoutProvider = {
  /** Returns the cost of a payout for the platform, in cents. */
  quote(cents: number): number;
  /**
   * Sends items as one batch. The same key means the same batch, so it can be repeated after `unknown`. `refused`
   * concerns only this request and not earlier ones.
   * @param beforeSend Called before each request that could send money, which is made only if it returns true.
   */
  submit(
    items: readonly PayoutItem[],
    idempotencyKey: string,
    beforeSend: () => Promise<boolean>,
  ): Promise<PayoutOutcome>;
  /** Returns the item states of a batch by id. Throws without a response. */
  items(ref: string): Promise<ItemOutcomes>;
  /** Returns the idempotency key of a batch. Throws without a response. */
  findBatchKey(ref: string): Promise<string | undefined>;
  fetch(ref: string): Promise<PayoutOutcome>;
  cancel(ref: string): Promise<PayoutOutcome>;
  /** Returns whether the service signed a webhook with these headers and this raw body. Undefined means no response. */
  isGenuine(request: SignedRequest): Promise<boolean | undefined>;
};
