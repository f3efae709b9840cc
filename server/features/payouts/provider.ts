/** What a service that pays out by itself can be asked. PayPal is one; files and lists are sent by people. */

export type PayoutItem = { id: string; receiver: string; cents: number };

/** `accepted`: on its way; `unknown`: it may have happened or not, and the money stays where it is until somebody knows. */
export type Outcome =
  | { state: 'accepted'; ref: string | null }
  | { state: 'paid'; ref: string }
  | { state: 'failed'; code: string; ref: string | null }
  | { state: 'returned'; code: string; ref: string }
  | { state: 'unknown'; reason: string };

export type Post = { headers: Readonly<Record<string, string | string[] | undefined>>; body: string };

export type PayoutProvider = {
  /** What sending so much costs the platform, in cents. */
  quote(cents: number): number;
  /** Sends items together. The same key is the same sending: it is asked again after `unknown`. */
  submit(items: readonly PayoutItem[], idempotencyKey: string): Promise<Outcome>;
  /** What became of the items of a sending, by their ids. Throws when nobody answers. */
  items(ref: string): Promise<Pick<ReadonlyMap<string, Outcome>, 'get'>>;
  /** What became of one, by the service's name for it. */
  fetch(ref: string): Promise<Outcome>;
  /** Takes one back that nobody has claimed. */
  cancel(ref: string): Promise<Outcome>;
  /** Whether the service sent a post, by its headers and its body as it came (JSON); undefined: nobody answers. */
  isGenuine(post: Post): Promise<boolean | undefined>;
};
