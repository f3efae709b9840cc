/** The fields of a post's details (contract/content/post-details.ts). Types require an entry for each detail. */
import type { PostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { ReactNode } from 'react';
import { formatCount } from '../../../platform/dates.ts';
import { type FormError, findMessageAt, toPositionProps } from './form-errors.ts';
import { TagsField } from './tags-field.tsx';
import * as texts from './texts.ts';

type DetailFieldProps = {
  details: PostDetails;
  onChange: (change: Partial<PostDetails>) => void;
  error: string | undefined;
};
type DetailField = {
  isEmpty: (details: PostDetails) => boolean;
  /** The text in the closed panel. */
  formatSummary: (details: PostDetails) => string;
  render: (props: DetailFieldProps) => ReactNode;
  /** What is wrong or missing beyond the schema. Nothing is saved or published meanwhile. */
  findError?: (details: PostDetails) => string | undefined;
};

const DETAIL_FIELDS: Readonly<Record<keyof PostDetails, DetailField>> = {
  tags: {
    isEmpty: ({ tags }) => tags.length === 0,
    formatSummary: ({ tags }) => (tags.length > 0 ? formatCount(tags.length, 'tag') : texts.tags),
    render: ({ details, onChange, error }) => (
      <TagsField value={details.tags} onChange={(tags) => onChange({ tags })} error={error} />
    ),
  },
};

export const hasNoDetails = (details: PostDetails) =>
  Object.values(DETAIL_FIELDS).every(({ isEmpty }) => isEmpty(details));

export const summarizeDetails = (details: PostDetails) =>
  Object.values(DETAIL_FIELDS).map(({ formatSummary }) => formatSummary(details));

/** Returns the first error in the order of the page. */
export function findDetailError(details: PostDetails): FormError | undefined {
  for (const [name, { findError }] of Object.entries(DETAIL_FIELDS)) {
    const message = findError?.(details);
    if (message !== undefined) return { position: `detail:${name}`, message };
  }
  return undefined;
}

export type DetailFieldsProps = {
  details: PostDetails;
  onChange: (details: PostDetails) => void;
  errors: readonly FormError[];
  /** The user tried to publish or save, so missing fields are reported from now on. */
  isSubmitted: boolean;
};

export function DetailFields({ details, onChange, errors, isSubmitted }: DetailFieldsProps) {
  const shownErrors = [...errors, isSubmitted ? findDetailError(details) : undefined];
  return Object.entries(DETAIL_FIELDS).map(([name, { render }]) => (
    <div key={name} {...toPositionProps(`detail:${name}`)}>
      {render({
        details,
        onChange: (change) => onChange({ ...details, ...change }),
        error: findMessageAt(shownErrors, `detail:${name}`),
      })}
    </div>
  ));
}
