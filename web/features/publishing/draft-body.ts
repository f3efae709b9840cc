/** What of the composer's form is kept as a draft: whatever can be, also while its price is not one yet. */
import type { DraftBody } from '@stagedoor/contract/publishing.ts';
import type { PriceRule } from '../../kernel/price-rule.ts';
import { type PostForm, priceComplaint, priceOf, wordsComplaint } from './fields.tsx';
import type { Item } from './items.ts';

export type Keepable = {
  body: DraftBody;
  /** Why nothing of it can be kept, in words. */
  held: string | undefined;
  /** All but the price can be kept; the draft keeps the one that it has. */
  isWithoutPrice: boolean;
};

/** `keptPrice` is the draft's, in USD; `rule` is what a new one is held to. */
export function keepable(
  form: PostForm,
  items: readonly Item[],
  { scheduledAt, keptPrice, rule }: { scheduledAt: string | null; keptPrice: number; rule: PriceRule },
): Keepable {
  // What is not on the server yet, or will never be of use, is no part of the draft.
  const media = items.flatMap(({ mediaId, state, alt }) =>
    mediaId && (state === 'ready' || state === 'processing') ? [{ id: mediaId, alt }] : [],
  );
  const { caption, tags, people } = form;
  const isWithoutPrice = priceComplaint(form, rule) !== undefined;
  const body = {
    caption: caption.trim(),
    price: isWithoutPrice ? keptPrice : priceOf(form, rule),
    media,
    tags: [...tags],
    people: people.map(({ id }) => id),
    scheduledAt,
  };
  return { body, held: wordsComplaint(form), isWithoutPrice };
}
