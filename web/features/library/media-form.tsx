import { MEDIA_TITLE_LENGTH, POST_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { tag } from '@stagedoor/contract/atoms/tags.ts';
import { type MediaBody, type MediaDetail, updateMedia } from '@stagedoor/contract/media.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import * as z from 'zod/mini';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { readPaidPrice, writePrice } from '../../kernel/price.ts';
import { usePriceLimit } from '../../kernel/price-limits.ts';
import { usePriceRule } from '../../kernel/price-rule.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { TokenField } from '../../ui/token-field.tsx';
import { mediaQuery } from './queries.ts';
import { hangMedia } from './use-library.ts';

/** Normalizes a typed tag: removes the # and replaces spaces with hyphens. Returns undefined for an invalid tag. */
export function cleanTag(typed: string): string | undefined {
  const words = typed.trim().replace(/^#+/, '').trim().replace(/\s+/g, '-');
  const parsed = z.safeParse(tag, words);
  return parsed.success ? parsed.data : undefined;
}

export function useMediaChange(id: MediaDetail['id'], saidWhenDone = 'Saved.') {
  const client = useQueryClient();
  const { mutate, isPending, error } = useApiMutation(updateMedia, {
    showErrorMessage: false,
    onSuccess: (media) => {
      client.setQueryData(mediaQuery(id).queryKey, media);
      hangMedia(client, media);
      void showToast(saidWhenDone, 'success');
    },
  });
  return {
    isBusy: isPending,
    failure: error?.message,
    save: (body: MediaBody) => !isPending && mutate({ params: { id }, body }),
  };
}

/** @param net Renders the creator's share of a price in USD. */
export function MediaForm({ media, net }: { media: MediaDetail; net: (price: number) => ReactNode }) {
  const [title, setTitle] = useState(media.title);
  const [tags, setTags] = useState<readonly string[]>(media.tags);
  const [isPaid, setIsPaid] = useState(media.price > 0);
  const [isTried, setIsTried] = useState(false);
  const [priceText, setPriceText] = useState(media.price > 0 ? writePrice(media.price) : '');
  const { save, isBusy, failure } = useMediaChange(media.id);
  const { min, max } = usePriceLimit('post');
  const rule = usePriceRule('post', media.price);
  const { usd: price, complaint } = isPaid ? readPaidPrice(rule, priceText) : { usd: 0 };
  const isTooLong = [...title].length > MEDIA_TITLE_LENGTH;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsTried(true);
    if (complaint || isTooLong) return;
    save({ title, tags: [...tags], price });
  };
  return (
    <form className="form" onSubmit={submit} noValidate>
      <TextField
        label="Title"
        hint="Only you see this title."
        value={title}
        counter={MEDIA_TITLE_LENGTH}
        error={isTooLong ? `At most ${MEDIA_TITLE_LENGTH} characters` : undefined}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TokenField
        label="Tags"
        hint="Letters, numbers and hyphens. Press Enter to add."
        values={tags}
        max={POST_LIMITS.tags}
        clean={cleanTag}
        onChange={setTags}
      />
      <Segmented
        name="price-kind"
        label="Default access"
        value={isPaid ? 'paid' : 'free'}
        onValueChange={(value) => setIsPaid(value === 'paid')}
        options={[
          { value: 'free', label: 'Free' },
          { value: 'paid', label: 'Paid' },
        ]}
      />
      {isPaid && (
        <TextField
          label="Default price"
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          value={priceText}
          onChange={(event) => setPriceText(event.currentTarget.value)}
          hint={`From ${formatUsd(min)} to ${formatUsd(max)}. You can change it per post or message.`}
          error={priceText.trim() === '' && !isTried ? undefined : complaint}
        />
      )}
      {isPaid && !complaint && net(price)}
      <div>
        <Button type="submit" variant="primary" size="lg" wide busy={isBusy} busyText="Saving…">
          Save
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
