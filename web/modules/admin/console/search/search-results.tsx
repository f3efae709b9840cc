import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { SEARCH_RESULT_KINDS, type SearchResult, type SearchResultKind } from '@stagedoor/contract/admin/search.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { useEffect, useRef } from 'react';
import { Form } from 'react-router';
import { formatDayTime } from '../../../../platform/dates.ts';
import { Button } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { SectionHead } from '../../../../ui/label.tsx';
import { Row, Rows } from '../../../../ui/rows.tsx';
import * as texts from './texts.ts';

const KIND_HEADINGS: Readonly<Record<SearchResultKind, string>> = {
  user: texts.people,
  case: texts.cases,
  post: texts.posts,
  call: texts.calls,
  payout: texts.payouts,
  transaction: texts.transactions,
};

export function AdminSearchForm({ q }: { q: string }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Focuses the input on an empty search. With results the focus stays, so that the operator can move through them.
    if (q === '') form.current?.querySelector('input')?.focus();
  }, [q]);
  return (
    <Form
      ref={form}
      action={ADMIN_PATHS.adminSearch}
      method="get"
      className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
    >
      <TextField
        label={texts.lookUp}
        name="q"
        type="search"
        key={q}
        defaultValue={q}
        autoComplete="off"
        enterKeyHint="search"
      />
      <Button type="submit" variant="ink">
        {texts.search}
      </Button>
    </Form>
  );
}

function renderRowEnd({ at, amount }: SearchResult, now: string) {
  const time = at === null ? '' : formatDayTime(at, now);
  return (
    <span className="grid justify-items-end text-small num">
      {amount !== null && <span className="font-semibold">{formatCents(Math.round(amount * 100))}</span>}
      {time !== '' && <span className="text-muted">{time}</span>}
    </span>
  );
}

export function SearchResults({ results, now }: { results: readonly SearchResult[]; now: string }) {
  return SEARCH_RESULT_KINDS.map((kind) => {
    const kindResults = results.filter((result) => result.kind === kind);
    if (kindResults.length === 0) return null;
    return (
      <section key={kind} aria-labelledby={`found-${kind}`}>
        <SectionHead id={`found-${kind}`} title={KIND_HEADINGS[kind]} />
        <Rows closed label={KIND_HEADINGS[kind]}>
          {kindResults.map((result) => (
            <Row
              key={result.id}
              href={result.href}
              title={result.title}
              sub={kind === 'transaction' ? undefined : <bdi>{result.subtitle}</bdi>}
              end={renderRowEnd(result, now)}
            />
          ))}
        </Rows>
      </section>
    );
  });
}
