/** The fields of a post's details (contract/content/post-details.ts). Types require an entry for each detail. */
import type { PostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { ReactNode } from 'react';
import { formatCount } from '../../../platform/dates.ts';
import { type FormError, findMessageAt, toPositionProps } from './form-errors.ts';
import { addTypedTags, TagsField } from './tags-field.tsx';
import * as texts from './texts.ts';

export type DetailsForm = {
  details: PostDetails;
  /**
   * What is typed into the field of tags and not added yet. It counts as soon as it is typed, because a submission does
   * not always take the focus from the field first.
   */
  tagText: string;
};

type DetailFieldProps = {
  form: DetailsForm;
  onChange: (change: Partial<DetailsForm>) => void;
  error: string | undefined;
};
type DetailField = {
  isEmpty: (details: PostDetails) => boolean;
  /** The text in the closed panel. */
  formatSummary: (details: PostDetails) => string;
  /** Absent for a field that is elsewhere on the page (fields.tsx). */
  render?: (props: DetailFieldProps) => ReactNode;
  /** What is wrong or missing beyond the schema. Nothing is saved or published meanwhile. */
  findError?: (details: PostDetails) => string | undefined;
  /** Why the typed text cannot be added. Nothing is published meanwhile, and the rest is saved. */
  findTypedError?: (form: DetailsForm) => string | undefined;
};

const DETAIL_FIELDS: Readonly<Record<keyof PostDetails, DetailField>> = {
  tags: {
    isEmpty: ({ tags }) => tags.length === 0,
    formatSummary: ({ tags }) => (tags.length > 0 ? formatCount(tags.length, 'tag') : texts.tags),
    findTypedError: ({ details, tagText }) => addTypedTags(details.tags, tagText).problem,
    render: ({ form: { details, tagText }, onChange, error }) => (
      <TagsField
        value={details.tags}
        text={tagText}
        onChange={({ tags = details.tags, text = tagText }) =>
          onChange({ details: { ...details, tags }, tagText: text })
        }
        error={error}
      />
    ),
  },
  subscribers: { isEmpty: ({ subscribers }) => subscribers === 'none', formatSummary: () => '' },
};

/** The details with what is typed and not added yet. */
export function completeDetails({ details, tagText }: DetailsForm): PostDetails {
  return { ...details, tags: addTypedTags(details.tags, tagText).tags };
}

export const hasNoDetails = (form: DetailsForm) =>
  Object.values(DETAIL_FIELDS).every(({ isEmpty }) => isEmpty(completeDetails(form)));

export const summarizeDetails = (details: PostDetails) =>
  Object.values(DETAIL_FIELDS)
    .map(({ formatSummary }) => formatSummary(details))
    .filter(Boolean);

/** Returns the first error in the order of the page. */
export function findDetailError(details: PostDetails): FormError | undefined {
  for (const [name, { findError }] of Object.entries(DETAIL_FIELDS)) {
    const message = findError?.(details);
    if (message !== undefined) return { position: `detail:${name}`, message };
  }
  return undefined;
}

export function findTypedError(form: DetailsForm): FormError | undefined {
  for (const [name, field] of Object.entries(DETAIL_FIELDS)) {
    const message = field.findTypedError?.(form);
    if (message !== undefined) return { position: `detail:${name}`, message };
  }
  return undefined;
}

export type DetailFieldsProps = {
  form: DetailsForm;
  onChange: (change: Partial<DetailsForm>) => void;
  errors: readonly FormError[];
  /** The user tried to publish or save, so missing fields are reported from now on. */
  isSubmitted: boolean;
};

export function DetailFields({ form, onChange, errors, isSubmitted }: DetailFieldsProps) {
  const shownErrors = [...errors, ...(isSubmitted ? [findDetailError(form.details), findTypedError(form)] : [])];
  return Object.entries(DETAIL_FIELDS).map(
    ([name, { render }]) =>
      render && (
        <div key={name} {...toPositionProps(`detail:${name}`)}>
          {render({ form, onChange, error: findMessageAt(shownErrors, `detail:${name}`) })}
        </div>
      ),
  );
}
