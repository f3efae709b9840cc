import { PATHS } from '@stagedoor/contract/addresses.ts';
import { POST_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Person, Post } from '@stagedoor/contract/posts.ts';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { plural } from '../../kernel/dates.ts';
import { useClosedDoor } from '../../kernel/door.ts';
import { readPaidPrice, writePrice } from '../../kernel/price.ts';
import { usePriceLimit } from '../../kernel/price-limits.ts';
import type { PriceRule } from '../../kernel/price-rule.ts';
import { Segmented } from '../../ui/choice.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { type Cause, placed, wordsAt } from './cause.ts';
import { YouGet } from './net.tsx';
import { PeopleField } from './people-field.tsx';
import { TagsField } from './tags-field.tsx';

export type PostForm = {
  caption: string;
  isPaid: boolean;
  priceText: string;
  tags: readonly string[];
  people: readonly Person[];
};

export function formOf(post: Pick<Post, 'caption' | 'price' | 'tags' | 'people'> | undefined): PostForm {
  const { caption = '', price = 0, tags = [], people = [] } = post ?? {};
  return { caption, isPaid: price > 0, priceText: price > 0 ? writePrice(price) : '', tags, people };
}

/** USD. 0 is free, and also the result for an invalid price, which {@link priceComplaint} explains. */
export function priceOf({ isPaid, priceText }: Pick<PostForm, 'isPaid' | 'priceText'>, rule: PriceRule): number {
  return isPaid ? readPaidPrice(rule, priceText).usd : 0;
}

export function priceComplaint(
  { isPaid, priceText }: Pick<PostForm, 'isPaid' | 'priceText'>,
  rule: PriceRule,
): string | undefined {
  return isPaid ? readPaidPrice(rule, priceText).complaint : undefined;
}

export function wordsComplaint({ caption }: Pick<PostForm, 'caption'>): string | undefined {
  return caption.trim().length > POST_LIMITS.captionLength
    ? `At most ${POST_LIMITS.captionLength} characters`
    : undefined;
}

/** Returns the first error in the order of the page. */
export function fieldsCause(form: PostForm, rule: PriceRule): Cause | undefined {
  const caption = wordsComplaint(form);
  if (caption !== undefined) return { place: 'caption', words: caption };
  const price = priceComplaint(form, rule);
  return price === undefined ? undefined : { place: 'price', words: price };
}

export type PostFieldsProps = {
  form: PostForm;
  rule: PriceRule;
  onChange: (change: Partial<PostForm>) => void;
  causes: readonly Cause[];
  /** The user tried to publish or save, so missing fields are reported from now on. */
  isTried: boolean;
  /** The post is already on sale, whatever requirements its creator still has to meet. */
  isSelling?: boolean;
};

function PriceField({ form, rule, onChange, causes, isTried, isSelling = false }: PostFieldsProps) {
  const { min, max } = usePriceLimit('post');
  const closed = useClosedDoor('Paid posts');
  const isMissing = form.priceText.trim() === '' && !isTried;
  const told = wordsAt(causes, 'price');
  const complaint = (isMissing ? undefined : priceComplaint(form, rule)) ?? (told === closed ? undefined : told);
  const price = priceOf(form, rule);
  return (
    <div {...placed('price')}>
      <TextField
        label="Price"
        prefix="$"
        inputMode="decimal"
        autoComplete="off"
        // Empty at first, because 7.50 typed after an existing 5 would become 57.50.
        placeholder="0.00"
        value={form.priceText}
        onChange={(event) => onChange({ priceText: event.currentTarget.value })}
        hint={price > 0 ? <YouGet price={price} /> : `From ${formatUsd(min)} to ${formatUsd(max)}`}
        error={complaint}
      />
      {closed && !isSelling && <Refusal message={closed} href={PATHS.creatorVerification} />}
    </div>
  );
}

export function PostFields(props: PostFieldsProps) {
  const { form, onChange, causes } = props;
  return (
    <>
      <div {...placed('caption')}>
        <TextAreaField
          label="Caption"
          hint="The first line becomes the title."
          rows={3}
          value={form.caption}
          counter={POST_LIMITS.captionLength}
          error={wordsComplaint(form) ?? wordsAt(causes, 'caption')}
          onChange={(event) => onChange({ caption: event.currentTarget.value })}
        />
      </div>
      <div className="grid gap-3">
        <Segmented
          name="access"
          label="Who can see this?"
          value={form.isPaid ? 'paid' : 'free'}
          onValueChange={(value) => onChange({ isPaid: value === 'paid' })}
          options={[
            { value: 'free', label: 'Free for everyone' },
            { value: 'paid', label: 'Paid' },
          ]}
        />
        {form.isPaid && <PriceField {...props} />}
      </div>
    </>
  );
}

export type MoreFieldsProps = Omit<PostFieldsProps, 'rule' | 'isTried' | 'isSelling'> & {
  ownId: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  when?: { words: string; field: ReactNode };
};

function summaryOf({ tags, people }: PostForm, when: string | undefined): string {
  return [
    tags.length > 0 ? plural(tags.length, 'tag') : 'Tags',
    people.length > 0 ? `${people.length} tagged` : 'people',
    ...(when === undefined ? [] : [when]),
  ].join(', ');
}

export function MoreFields({ form, onChange, causes, ownId, isOpen, onOpenChange, when }: MoreFieldsProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const isAsked = useRef(false);
  useEffect(() => {
    // Scrolls the panel out from under the action bar, where a press would publish.
    if (isOpen && isAsked.current) panel.current?.scrollIntoView({ block: 'nearest' });
    isAsked.current = false;
  }, [isOpen]);
  return (
    <div>
      <button
        type="button"
        className="flex min-h-12 w-full items-center gap-3 border-y border-line text-left"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          isAsked.current = true;
          onOpenChange(!isOpen);
        }}
      >
        <span className="font-semibold">More</span>
        <span className="one-line flex-1 text-small text-muted">{summaryOf(form, when?.words)}</span>
        <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
      </button>
      <div ref={panel} id={id} className="form pt-4" hidden={!isOpen}>
        {when && <div {...placed('when')}>{when.field}</div>}
        <div {...placed('tags')}>
          <TagsField value={form.tags} onChange={(tags) => onChange({ tags })} error={wordsAt(causes, 'tags')} />
        </div>
        <div {...placed('people')}>
          <PeopleField
            value={form.people}
            ownId={ownId}
            onChange={(people) => onChange({ people })}
            error={wordsAt(causes, 'people')}
          />
        </div>
      </div>
    </div>
  );
}
