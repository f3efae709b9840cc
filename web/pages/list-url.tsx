import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PAGE_SIZES } from '@stagedoor/contract/shared/paging.ts';
import { useSearchParams, useSubmit } from 'react-router';
import { buildAddress } from '../platform/address.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import * as texts from './texts.ts';

type QueryChange = Readonly<Record<string, string | undefined>>;
export type ToListUrl = (change: QueryChange) => string;

/**
 * `to` returns a link address, `go` navigates without scrolling.
 * @param extraChange Changes that accompany every filter change.
 */
export function useListUrl(path: string, extraChange: QueryChange = {}) {
  const [search] = useSearchParams();
  const submit = useSubmit();
  const to: ToListUrl = (change) => buildAddress(path, search, change);
  const go = (change: QueryChange) => {
    const query = new URLSearchParams(buildAddress('', search, { ...extraChange, ...change }).slice(1));
    void submit(query, { action: path, replace: true, preventScrollReset: true });
  };
  return { search, to, go };
}

export function DayFields({
  names: [first, last],
  from,
  to,
  go,
}: {
  names: readonly [string, string];
  from: string | undefined;
  to: string | undefined;
  go: (change: QueryChange) => void;
}) {
  return (
    <>
      <TextField
        className="min-w-0"
        label={texts.from}
        type="date"
        name={first}
        max={to}
        value={from ?? ''}
        onChange={(event) => go({ [first]: event.currentTarget.value || undefined })}
      />
      <TextField
        className="min-w-0"
        label={texts.to}
        type="date"
        name={last}
        min={from}
        value={to ?? ''}
        onChange={(event) => go({ [last]: event.currentTarget.value || undefined })}
      />
    </>
  );
}

export function NumberedPages({
  currentPage,
  limit,
  total,
  to,
}: {
  currentPage: number;
  limit: number;
  total: number;
  to: ToListUrl;
}) {
  const [defaultSize] = PAGE_SIZES;
  const last = Math.max(1, Math.ceil(total / limit));
  const toPageUrl = (number: number) => to({ currentPage: number === 1 ? undefined : String(number) });
  const toSizeUrl = (next: number) =>
    to({ currentPage: undefined, limit: next === defaultSize ? undefined : String(next) });
  return (
    <>
      {last > 1 && (
        <nav aria-label={texts.pages} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-5">
          <Button {...(currentPage > 1 ? { href: toPageUrl(currentPage - 1), rel: 'prev' } : { disabled: true })}>
            {texts.previous}
          </Button>
          <span className="num text-small text-muted">
            {formatText(texts.pageProgress, {
              currentPage: currentPage.toLocaleString('en-US'),
              last: last.toLocaleString('en-US'),
            })}
          </span>
          <Button {...(currentPage < last ? { href: toPageUrl(currentPage + 1), rel: 'next' } : { disabled: true })}>
            {texts.next}
          </Button>
        </nav>
      )}
      {total > defaultSize && <Pager size={limit} sizeHref={toSizeUrl} />}
    </>
  );
}
