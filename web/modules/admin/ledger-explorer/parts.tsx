import { formatCents } from '@stagedoor/contract/shared/money.ts';
import type { ReactNode } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FocusedHeading } from '../../../ui/label.tsx';
import './ledger-explorer.css';
import * as texts from './texts.ts';

export function AdminPage({
  title,
  back,
  end,
  children,
}: {
  title: string;
  back?: { href: string; label: string } | undefined;
  end?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="ld">
      <div className="grid gap-2">
        {back && (
          <p>
            <Button icon="chevron-left" variant="quiet" href={back.href} className="-ml-2.5">
              {back.label}
            </Button>
          </p>
        )}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <FocusedHeading key={title}>{title}</FocusedHeading>
          {end}
        </div>
      </div>
      {children}
    </div>
  );
}

/** Formats a platform amount in USD, which may be negative. */
export const formatAmount = (usd: number) => formatCents(Math.round(usd * 100));
export const formatSignedAmount = (usd: number) => formatCents(Math.round(usd * 100), { sign: true });
export const formatUsername = (username: string) => `@${isolateText(username)}`;

export function DateRangeFields({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return (
    <>
      <TextField className="min-w-0" label={texts.fromDate} type="date" name="from" defaultValue={from ?? ''} />
      <TextField className="min-w-0" label={texts.toDate} type="date" name="to" defaultValue={to ?? ''} />
    </>
  );
}
