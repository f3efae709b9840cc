/** The form of a post, new or edited: pictures, caption, free or paid with what is the creator's share, and a preview of its price. */
import { POST_LIMITS, POST_PRICE_CENTS } from '@stagedoor/contract/atoms/limits.ts';
import { asCents, cleanNumber, formatCents, formatUsd, percentOf } from '@stagedoor/contract/atoms/money.ts';
import { type PostBody, postPrice } from '@stagedoor/contract/posts.ts';
import { creatorFees } from '@stagedoor/contract/wallet.ts';
import { type FormEvent, useState } from 'react';
import * as z from 'zod/mini';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choice.tsx';
import { Sum } from '../../ui/facts.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { UploadList } from './upload-list.tsx';
import type { Uploads } from './uploads.ts';

export const feesQuery = () => apiQuery(creatorFees, {});

export type ComposerProps = {
  uploads: Uploads;
  initial?: { caption: string; price: number };
  /** What the button says: 'Publish', 'Save'. */
  verb: string;
  isBusy: boolean;
  failure: string | undefined;
  onSubmit: (body: PostBody) => void;
};

/** What keeps a draft from being published, in words; nothing when it may. */
export function complaintOf(uploads: Pick<Uploads, 'items'>, price: number): string | undefined {
  if (uploads.items.length === 0) return 'Please add at least one picture';
  if (uploads.items.some((item) => item.state === 'failed')) return 'Remove what could not be used first.';
  if (uploads.items.some((item) => item.state !== 'ready'))
    return 'Still uploading and preparing. This takes a moment.';
  return z.safeParse(postPrice, price).error?.issues[0]?.message;
}

export function Net({ price }: { price: number }) {
  const { effectiveFee } = useApi(creatorFees, {});
  const gross = asCents(Math.round(price * 100));
  const fee = percentOf(gross, effectiveFee);
  return (
    <Sum
      live
      lines={[
        { name: 'A fan pays', value: formatUsd(price) },
        { name: `Platform, ${effectiveFee}%`, value: formatCents(-fee) },
      ]}
      total={{ name: 'You get', value: formatCents(gross - fee) }}
    />
  );
}

export function Composer({ uploads, initial, verb, isBusy, failure, onSubmit }: ComposerProps) {
  const [caption, setCaption] = useState(initial?.caption ?? '');
  const [isPaid, setIsPaid] = useState((initial?.price ?? 0) > 0);
  const [priceText, setPriceText] = useState(initial?.price ? String(initial.price) : '5');
  const [isTried, setIsTried] = useState(false);
  const price = isPaid ? cleanNumber(priceText) : 0;
  const complaint = complaintOf(uploads, price);
  const priceComplaint = isPaid
    ? price === 0
      ? 'Please enter amount'
      : z.safeParse(postPrice, price).error?.issues[0]?.message
    : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (complaint || priceComplaint || isBusy || caption.length > POST_LIMITS.captionLength) return;
    onSubmit({
      caption,
      price,
      media: uploads.items.flatMap(({ mediaId, alt }) => (mediaId ? [{ id: mediaId, alt }] : [])),
    });
  };
  return (
    <form className="form" onSubmit={submit} noValidate>
      <UploadList uploads={uploads} />
      <TextAreaField
        label="Caption"
        hint="The first line is the post’s name."
        rows={5}
        value={caption}
        counter={POST_LIMITS.captionLength}
        onChange={(event) => setCaption(event.currentTarget.value)}
      />
      <Segmented
        name="access"
        label="Who may see it"
        value={isPaid ? 'paid' : 'free'}
        onValueChange={(value) => setIsPaid(value === 'paid')}
        options={[
          { value: 'free', label: 'Free for everyone' },
          { value: 'paid', label: 'Paid' },
        ]}
      />
      {isPaid && (
        <>
          <TextField
            label="Price"
            prefix="$"
            inputMode="decimal"
            autoComplete="off"
            value={priceText}
            onChange={(event) => setPriceText(event.currentTarget.value)}
            hint={`From ${formatCents(POST_PRICE_CENTS.min)} to ${formatCents(POST_PRICE_CENTS.max)}`}
            error={priceComplaint}
          />
          {!priceComplaint && <Net price={price} />}
        </>
      )}
      <div>
        <Button type="submit" variant="primary" size="lg" wide busy={isBusy} busyText={`${verb}…`}>
          {isPaid && !priceComplaint ? `${verb} · ${formatUsd(price)}` : verb}
        </Button>
        {isTried && (complaint ?? failure) && (
          <p role="alert" className="pt-3 text-small text-danger">
            {complaint ?? failure}
          </p>
        )}
      </div>
    </form>
  );
}
