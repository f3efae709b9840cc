import type { DraftBody } from '@stagedoor/contract/publishing.ts';
import type { PriceRule } from '../../kernel/price-rule.ts';
import { type PostForm, priceComplaint, priceOf, wordsComplaint } from './fields.tsx';
import type { Item } from './items.ts';

export type Keepable = {
  body: DraftBody;
  held: string | undefined;
  /** The price is not valid. Everything else is saved, and the draft keeps its current price. */
  isWithoutPrice: boolean;
};

/**
 * Converts the form to the body of a draft.
 * @param keptPrice The draft's saved price in USD.
 * @param rule The limits of a new price.
 */
export function keepable(
  form: PostForm,
  items: readonly Item[],
  { scheduledAt, keptPrice, rule }: { scheduledAt: string | null; keptPrice: number; rule: PriceRule },
): Keepable {
  // Files that are not uploaded yet, or that failed, are not part of the draft.
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
