import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { HIT_KINDS, type Hit, type HitKind } from '@stagedoor/contract/lookup.ts';
import { useEffect, useRef } from 'react';
import { Form } from 'react-router';
import { formatDayTime } from '../../../kernel/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';

const HEADS: Readonly<Record<HitKind, string>> = {
  person: 'People',
  case: 'Cases',
  post: 'Posts',
  call: 'Calls',
  payout: 'Payouts',
  transaction: 'Transactions',
};

export function LookUpForm({ q }: { q: string }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Focuses the input on an empty search. With results the focus stays, so that the operator can move through them.
    if (q === '') form.current?.querySelector('input')?.focus();
  }, [q]);
  return (
    <Form
      ref={form}
      action={DESK_PATHS.adminSearch}
      method="get"
      className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
    >
      <TextField
        label="Look up"
        name="q"
        type="search"
        key={q}
        defaultValue={q}
        autoComplete="off"
        enterKeyHint="search"
      />
      <Button type="submit" variant="ink">
        Search
      </Button>
    </Form>
  );
}

function endOf({ at, amount }: Hit, now: string) {
  const when = at === null ? '' : formatDayTime(at, now);
  return (
    <span className="grid justify-items-end text-small num">
      {amount !== null && <span className="font-semibold">{formatCents(Math.round(amount * 100))}</span>}
      {when !== '' && <span className="text-muted">{when}</span>}
    </span>
  );
}

export function Hits({ hits, now }: { hits: readonly Hit[]; now: string }) {
  return HIT_KINDS.map((kind) => {
    const ofKind = hits.filter((hit) => hit.kind === kind);
    if (ofKind.length === 0) return null;
    return (
      <section key={kind} aria-labelledby={`found-${kind}`}>
        <SectionHead id={`found-${kind}`} title={HEADS[kind]} />
        <Rows closed label={HEADS[kind]}>
          {ofKind.map((hit) => (
            <Row
              key={hit.id}
              href={hit.href}
              title={hit.title}
              sub={kind === 'transaction' ? undefined : <bdi>{hit.sub}</bdi>}
              end={endOf(hit, now)}
            />
          ))}
        </Rows>
      </section>
    );
  });
}
