/** What a post says besides its files: caption, price with what is the creator's share, tags and people. */
import { POST_LIMITS, POST_PRICE_CENTS } from '@stagedoor/contract/atoms/limits.ts';
import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import { type Person, type Post, postPrice } from '@stagedoor/contract/posts.ts';
import { readPaidPrice } from '../../kernel/price.ts';
import { Segmented } from '../../ui/choice.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Net } from './net.tsx';
import { PeopleField } from './people-field.tsx';
import { TagsField } from './tags-field.tsx';

export type PostForm = {
  caption: string;
  isPaid: boolean;
  priceText: string;
  tags: readonly string[];
  people: readonly Person[];
};

const FIRST_PRICE = '5';

export function formOf(post: Pick<Post, 'caption' | 'price' | 'tags' | 'people'> | undefined): PostForm {
  const { caption = '', price = 0, tags = [], people = [] } = post ?? {};
  return { caption, isPaid: price > 0, priceText: price > 0 ? String(price) : FIRST_PRICE, tags, people };
}

/** USD; 0 is free. What cannot be the price is 0, too: see {@link priceComplaint}. */
export function priceOf({ isPaid, priceText }: Pick<PostForm, 'isPaid' | 'priceText'>): number {
  return isPaid ? readPaidPrice(postPrice, priceText).usd : 0;
}

/** Why the price cannot be that, in words. */
export function priceComplaint({ isPaid, priceText }: Pick<PostForm, 'isPaid' | 'priceText'>): string | undefined {
  return isPaid ? readPaidPrice(postPrice, priceText).complaint : undefined;
}

/** Why the words cannot be that. */
export function wordsComplaint({ caption }: Pick<PostForm, 'caption'>): string | undefined {
  return caption.trim().length > POST_LIMITS.captionLength
    ? `At most ${POST_LIMITS.captionLength} characters`
    : undefined;
}

export type PostFieldsProps = {
  form: PostForm;
  onChange: (change: Partial<PostForm>) => void;
  ownId: string;
  /** The server's complaints by field. */
  complaints: Readonly<Record<string, string>>;
};

export function PostFields({ form, onChange, ownId, complaints }: PostFieldsProps) {
  const complaint = priceComplaint(form);
  return (
    <>
      <TextAreaField
        label="Caption"
        hint="The first line is the post’s name."
        rows={5}
        value={form.caption}
        counter={POST_LIMITS.captionLength}
        error={wordsComplaint(form)}
        onChange={(event) => onChange({ caption: event.currentTarget.value })}
      />
      <Segmented
        name="access"
        label="Who may see it"
        value={form.isPaid ? 'paid' : 'free'}
        onValueChange={(value) => onChange({ isPaid: value === 'paid' })}
        options={[
          { value: 'free', label: 'Free for everyone' },
          { value: 'paid', label: 'Paid' },
        ]}
      />
      {form.isPaid && (
        <>
          <TextField
            label="Price"
            prefix="$"
            inputMode="decimal"
            autoComplete="off"
            value={form.priceText}
            onChange={(event) => onChange({ priceText: event.currentTarget.value })}
            hint={`From ${formatCents(POST_PRICE_CENTS.min)} to ${formatCents(POST_PRICE_CENTS.max)}`}
            error={complaint}
          />
          {!complaint && <Net price={priceOf(form)} />}
        </>
      )}
      <TagsField value={form.tags} onChange={(tags) => onChange({ tags })} />
      <PeopleField
        value={form.people}
        ownId={ownId}
        onChange={(people) => onChange({ people })}
        error={complaints.people}
      />
    </>
  );
}
