import type { DraftBody } from '@stagedoor/contract/content/drafts.ts';
import type { PriceSchema } from '../../../platform/price-schema.ts';
import { completeDetails, findDetailError } from './detail-fields.tsx';
import { findCaptionError, findPriceError, getPrice, type PostForm } from './fields.tsx';
import type { UploadItem } from './items.ts';

export type SaveableDraft = {
  body: DraftBody;
  invalidReason: string | undefined;
  /** The price is not valid. Everything else is saved, and the draft keeps its current price. */
  isWithoutPrice: boolean;
};

/**
 * Converts the form to the body of a draft.
 * @param savedPrice The draft's saved price in USD.
 * @param priceSchema The limits of a new price.
 */
export function toSaveableDraft(
  form: PostForm,
  items: readonly UploadItem[],
  {
    scheduledAt,
    savedPrice,
    priceSchema,
  }: { scheduledAt: string | null; savedPrice: number; priceSchema: PriceSchema },
): SaveableDraft {
  // Files that are not uploaded yet, or that failed, are not part of the draft.
  const media = items.flatMap(({ mediaId, state, alt }) =>
    mediaId && (state === 'ready' || state === 'processing') ? [{ id: mediaId, alt }] : [],
  );
  const { caption, people } = form;
  const details = completeDetails(form);
  const isWithoutPrice = findPriceError(form, priceSchema) !== undefined;
  const body = {
    caption: caption.trim(),
    price: isWithoutPrice ? savedPrice : getPrice(form, priceSchema),
    media,
    ...details,
    people: people.map(({ id }) => id),
    scheduledAt,
  };
  return { body, invalidReason: findCaptionError(form) ?? findDetailError(details)?.message, isWithoutPrice };
}
