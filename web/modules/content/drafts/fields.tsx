import { EMPTY_POST_DETAILS, type PostDetails, toPostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { Post, TaggedUser } from '@stagedoor/contract/content/posts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { POST_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { MoneyField } from '../../../platform/money-field.tsx';
import { formatPriceInput, parsePaidPrice } from '../../../platform/price.ts';
import { usePriceLimit } from '../../../platform/price-limits.ts';
import type { PriceSchema } from '../../../platform/price-schema.ts';
import { useSellingObstacle } from '../../../platform/seller-gate.ts';
import { Segmented } from '../../../ui/choice.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { AudienceField } from './audience-field.tsx';
import {
  completeDetails,
  DetailFields,
  type DetailsForm,
  findDetailError,
  findTypedError,
  summarizeDetails,
} from './detail-fields.tsx';
import { AUDIENCE_POSITION, type FormError, findMessageAt, toPositionProps } from './form-errors.ts';
import { NetHint } from './net-amount.tsx';
import { TaggedUsersField } from './tagged-users-field.tsx';
import * as texts from './texts.ts';

export type PostForm = DetailsForm & {
  caption: string;
  isPaid: boolean;
  priceText: string;
  people: readonly TaggedUser[];
};

export function toPostForm(post: (Pick<Post, 'caption' | 'price' | 'people'> & PostDetails) | undefined): PostForm {
  const { caption = '', price = 0, people = [] } = post ?? {};
  const details = post ? toPostDetails(post) : EMPTY_POST_DETAILS;
  const priceText = price > 0 ? formatPriceInput(price) : '';
  return { caption, isPaid: price > 0, priceText, details, tagText: '', people };
}

/** USD. 0 is free, and also the result for an invalid price, which {@link findPriceError} explains. */
export function getPrice(
  { isPaid, priceText }: Pick<PostForm, 'isPaid' | 'priceText'>,
  priceSchema: PriceSchema,
): number {
  return isPaid ? parsePaidPrice(priceSchema, priceText).usd : 0;
}

export function findPriceError(
  { isPaid, priceText }: Pick<PostForm, 'isPaid' | 'priceText'>,
  priceSchema: PriceSchema,
): string | undefined {
  return isPaid ? parsePaidPrice(priceSchema, priceText).error : undefined;
}

export function findCaptionError({ caption }: Pick<PostForm, 'caption'>): string | undefined {
  return caption.trim().length > POST_LIMITS.captionLength
    ? formatText(texts.captionLengthLimit, { captionLength: POST_LIMITS.captionLength })
    : undefined;
}

/** Returns the first error in the order of the page. */
export function findFieldsError(form: PostForm, priceSchema: PriceSchema): FormError | undefined {
  const caption = findCaptionError(form);
  if (caption !== undefined) return { position: 'caption', message: caption };
  const price = findPriceError(form, priceSchema);
  if (price !== undefined) return { position: 'price', message: price };
  return findDetailError(form.details) ?? findTypedError(form);
}

export type PostFieldsProps = {
  form: PostForm;
  priceSchema: PriceSchema;
  onChange: (change: Partial<PostForm>) => void;
  errors: readonly FormError[];
  /** The user tried to publish or save, so missing fields are reported from now on. */
  isSubmitted: boolean;
  /** The post is already on sale, whatever requirements its creator still has to meet. */
  isOnSale?: boolean;
};

function PriceField({ form, priceSchema, onChange, errors, isSubmitted, isOnSale = false }: PostFieldsProps) {
  const { min, max } = usePriceLimit('post');
  const sellingObstacle = useSellingObstacle(texts.paidPosts);
  const isMissing = form.priceText.trim() === '' && !isSubmitted;
  const serverMessage = findMessageAt(errors, 'price');
  const error =
    (isMissing ? undefined : findPriceError(form, priceSchema)) ??
    (serverMessage === sellingObstacle ? undefined : serverMessage);
  const price = getPrice(form, priceSchema);
  return (
    <div {...toPositionProps('price')}>
      <MoneyField
        label={texts.price}
        // Empty at first, because 7.50 typed after an existing 5 would become 57.50.
        placeholder="0.00"
        value={form.priceText}
        onChange={(event) => onChange({ priceText: event.currentTarget.value })}
        hint={
          price > 0 ? (
            <NetHint price={price} />
          ) : (
            formatText(texts.priceRange, { min: formatUsd(min), max: formatUsd(max) })
          )
        }
        error={error}
      />
      {sellingObstacle && !isOnSale && <InlineError message={sellingObstacle} href={PATHS.creatorVerification} />}
    </div>
  );
}

export function PostFields(props: PostFieldsProps) {
  const { form, onChange, errors } = props;
  return (
    <>
      <div {...toPositionProps('caption')}>
        <TextAreaField
          label={texts.caption}
          hint={texts.firstLineHint}
          rows={3}
          value={form.caption}
          counter={POST_LIMITS.captionLength}
          error={findCaptionError(form) ?? findMessageAt(errors, 'caption')}
          onChange={(event) => onChange({ caption: event.currentTarget.value })}
        />
      </div>
      <div className="grid gap-3">
        <Segmented
          name="access"
          label={texts.whoCanSeeThis}
          value={form.isPaid ? 'paid' : 'free'}
          onValueChange={(value) => onChange({ isPaid: value === 'paid' })}
          options={[
            { value: 'free', label: texts.freeForEveryone },
            { value: 'paid', label: texts.paid },
          ]}
        />
        {form.isPaid && <PriceField {...props} />}
        {form.isPaid && (
          <div {...toPositionProps(AUDIENCE_POSITION)}>
            <AudienceField
              value={form.details.subscribers}
              onChange={(subscribers) => onChange({ details: { ...form.details, subscribers } })}
              error={findMessageAt(errors, AUDIENCE_POSITION)}
            />
          </div>
        )}
      </div>
    </>
  );
}

export type MoreFieldsProps = Omit<PostFieldsProps, 'priceSchema' | 'isOnSale'> & {
  ownId: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  schedule?: { label: string; field: ReactNode };
};

function formatSummary(form: PostForm, schedule: string | undefined): string {
  const { people } = form;
  return [
    ...summarizeDetails(completeDetails(form)),
    people.length > 0 ? formatText(texts.usersTagged, { usersCount: people.length }) : 'people',
    ...(schedule === undefined ? [] : [schedule]),
  ].join(', ');
}

export function MoreFields({
  form,
  onChange,
  errors,
  isSubmitted,
  ownId,
  isOpen,
  onOpenChange,
  schedule,
}: MoreFieldsProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const isOpenedByUser = useRef(false);
  useEffect(() => {
    // Scrolls the panel out from under the action bar, where a press would publish.
    if (isOpen && isOpenedByUser.current) panel.current?.scrollIntoView({ block: 'nearest' });
    isOpenedByUser.current = false;
  }, [isOpen]);
  return (
    <div>
      <button
        type="button"
        className="flex min-h-12 w-full items-center gap-3 border-y border-line text-left"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          isOpenedByUser.current = true;
          onOpenChange(!isOpen);
        }}
      >
        <span className="font-semibold">{texts.more}</span>
        <span className="one-line flex-1 text-small text-muted">{formatSummary(form, schedule?.label)}</span>
        <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
      </button>
      <div ref={panel} id={id} className="form pt-4" hidden={!isOpen}>
        {schedule && <div {...toPositionProps('when')}>{schedule.field}</div>}
        <DetailFields form={form} onChange={onChange} errors={errors} isSubmitted={isSubmitted} />
        <div {...toPositionProps('people')}>
          <TaggedUsersField
            value={form.people}
            ownId={ownId}
            onChange={(people) => onChange({ people })}
            error={findMessageAt(errors, 'people')}
          />
        </div>
      </div>
    </div>
  );
}
