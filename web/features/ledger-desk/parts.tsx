import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import type { ReactNode } from 'react';
import { isolated } from '../../kernel/bidi.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FocusHead } from '../../ui/label.tsx';
import './ledger-desk.css';

export function DeskPage({
  title,
  back,
  end,
  children,
}: {
  title: string;
  back?: { href: string; words: string } | undefined;
  end?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="ld">
      <div className="grid gap-2">
        {back && (
          <p>
            <Button icon="chevron-left" variant="quiet" href={back.href} className="-ml-2.5">
              {back.words}
            </Button>
          </p>
        )}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <FocusHead key={title}>{title}</FocusHead>
          {end}
        </div>
      </div>
      {children}
    </div>
  );
}

/** Formats a platform amount in USD, which may be negative. */
export const figureText = (usd: number) => formatCents(Math.round(usd * 100));
export const movedText = (usd: number) => formatCents(Math.round(usd * 100), { sign: true });
export const handle = (username: string) => `@${isolated(username)}`;

export function DayFields({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return (
    <>
      <TextField className="min-w-0" label="From" type="date" name="from" defaultValue={from ?? ''} />
      <TextField className="min-w-0" label="To" type="date" name="to" defaultValue={to ?? ''} />
    </>
  );
}
