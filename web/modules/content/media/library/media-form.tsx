import { type MediaBody, type MediaDetail, updateMedia } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { MEDIA_TITLE_LENGTH, POST_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { tag } from '@stagedoor/contract/shared/tags.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import * as z from 'zod/mini';
import { showToast } from '../../../../platform/feedback.ts';
import { MoneyField } from '../../../../platform/money-field.tsx';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { formatPriceInput, parsePaidPrice } from '../../../../platform/price.ts';
import { usePriceLimit } from '../../../../platform/price-limits.ts';
import { usePriceSchema } from '../../../../platform/price-schema.ts';
import { Button } from '../../../../ui/button.tsx';
import { Segmented } from '../../../../ui/choice.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { TokenField } from '../../../../ui/token-field.tsx';
import * as texts from '../texts.ts';
import { mediaQuery } from './queries.ts';
import { updateCachedMedia } from './use-library.ts';

/** Normalizes a typed tag: removes the # and replaces spaces with hyphens. Returns undefined for an invalid tag. */
export function parseTag(input: string): string | undefined {
  const text = input.trim().replace(/^#+/, '').trim().replace(/\s+/g, '-');
  const parsed = z.safeParse(tag, text);
  return parsed.success ? parsed.data : undefined;
}

export function useUpdateMedia(id: MediaDetail['id'], successMessage = texts.saved) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useApiMutation(updateMedia, {
    showErrorMessage: false,
    onSuccess: (media) => {
      client.setQueryData(mediaQuery(id).queryKey, media);
      updateCachedMedia(client, media);
      void showToast(successMessage, 'success');
    },
  });
  return {
    isBusy: isPending,
    failure: error?.message,
    save: (body: MediaBody) => !isPending && mutate({ params: { id }, body }),
  };
}

/** @param renderNet Renders the creator's share of a price in USD. */
export function MediaForm({ media, renderNet }: { media: MediaDetail; renderNet: (price: number) => ReactNode }) {
  const [title, setTitle] = useState(media.title);
  const [tags, setTags] = useState<readonly string[]>(media.tags);
  const [isPaid, setIsPaid] = useState(media.price > 0);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [priceText, setPriceText] = useState(media.price > 0 ? formatPriceInput(media.price) : '');
  const { save, isBusy, failure } = useUpdateMedia(media.id);
  const { min, max } = usePriceLimit('post');
  const schema = usePriceSchema('post', media.price);
  const { usd: price, error } = isPaid ? parsePaidPrice(schema, priceText) : { usd: 0 };
  const isTooLong = [...title].length > MEDIA_TITLE_LENGTH;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (error || isTooLong) return;
    save({ title, tags: [...tags], price });
  };
  return (
    <form className="form" onSubmit={submit} noValidate>
      <TextField
        label={texts.title}
        hint={texts.privateTitleHint}
        value={title}
        counter={MEDIA_TITLE_LENGTH}
        error={isTooLong ? formatText(texts.titleLengthLimit, { maxLength: MEDIA_TITLE_LENGTH }) : undefined}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TokenField
        label={texts.tags}
        hint={texts.tagsHint}
        values={tags}
        max={POST_LIMITS.tags}
        clean={parseTag}
        onChange={setTags}
      />
      <Segmented
        name="price-kind"
        label={texts.defaultAccess}
        value={isPaid ? 'paid' : 'free'}
        onValueChange={(value) => setIsPaid(value === 'paid')}
        options={[
          { value: 'free', label: texts.free },
          { value: 'paid', label: texts.paid },
        ]}
      />
      {isPaid && (
        <MoneyField
          label={texts.defaultPrice}
          placeholder="0.00"
          value={priceText}
          onChange={(event) => setPriceText(event.currentTarget.value)}
          hint={formatText(texts.priceRangeHint, { min: formatUsd(min), max: formatUsd(max) })}
          error={priceText.trim() === '' && !isSubmitted ? undefined : error}
        />
      )}
      {isPaid && !error && renderNet(price)}
      <div>
        <Button type="submit" variant="primary" size="lg" wide busy={isBusy} busyText={texts.saving}>
          {texts.save}
        </Button>
        {failure && (
          <p role="alert" className="pt-3 text-small text-danger">
            {failure}
          </p>
        )}
      </div>
    </form>
  );
}
