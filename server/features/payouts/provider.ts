/** What a service that pays out by itself can be asked. PayPal is one; files and lists are sent by people. */

export type PayoutItem = { id: string; receiver: string; cents: number };

/** `accepted`: on its way, perhaps waiting to be claimed; `unknown`: it may have happened or not, and the money stays where it is until somebody knows. */
export type Outcome =
  | { state: 'accepted'; ref: string | null; isUnclaimed?: boolean }
  | { state: 'paid'; ref: string }
  /** Refused for what its receiver is. */
  | { state: 'failed'; code: string; ref: string | null }
  /** Refused for what we are, or with all that was sent together: nothing of it was paid, and it can be sent again. */
  | { state: 'refused'; code: string; detail: string }
  /** The service knows of none. */
  | { state: 'none' }
  | { state: 'returned'; code: string; ref: string }
  | { state: 'unknown'; reason: string };

/** By ids of ours; `denied`: the whole sending was, after it was taken, and what nobody says otherwise of was not paid. */
export type ItemOutcomes = Pick<ReadonlyMap<string, Outcome>, 'get'> & { denied?: string };

export type Post = { headers: Readonly<Record<string, string | string[] | undefined>>; body: string };

export type PayoutProvider = {
  /** What sending so much costs the platform, in cents. */
  quote(cents: number): number;
  /**
   * Sends items together. The same key is the same sending: it is asked again after `unknown`. `refused` is what is said of this one
   * question: after another it tells nothing of that.
   * @param note called before each question that could send, which is asked only when it answers true
   */
  submit(items: readonly PayoutItem[], idempotencyKey: string, note: () => Promise<boolean>): Promise<Outcome>;
  /** What became of the items of a sending, by their ids. Throws when nobody answers. */
  items(ref: string): Promise<ItemOutcomes>;
  /** The key that a sending was sent with. Throws when nobody answers. */
  keyOf(ref: string): Promise<string | undefined>;
  /** What became of one, by the service's name for it. */
  fetch(ref: string): Promise<Outcome>;
  /** Takes one back that nobody has claimed. */
  cancel(ref: string): Promise<Outcome>;
  /** Whether the service sent a post, by its headers and its body as it came (JSON); undefined: nobody answers. */
  isGenuine(post: Post): Promise<boolean | undefined>;
};
