import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';

export function ExpandableRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="lines" aria-label={label}>
      {children}
    </ul>
  );
}

export interface ExpandableRowProps {
  lead: ReactNode;
  title: ReactNode;
  sub: ReactNode;
  /** Formatted with sign and two decimals. */
  amount: string;
  status: string;
  void?: boolean | undefined;
  onOpen?: (() => void) | undefined;
  children: ReactNode;
}

export function ExpandableRow({
  lead,
  title,
  sub,
  amount,
  status,
  void: isStruck,
  onOpen,
  children,
}: ExpandableRowProps) {
  return (
    <li>
      <details className="entry" onToggle={(event) => event.currentTarget.open && onOpen?.()}>
        <summary className={cx(isStruck && 'row--void')}>
          {lead}
          <span className="min-w-0">
            <bdi className="row__title">{title}</bdi>
            <span className="row__sub">{sub}</span>
          </span>
          <span className="row__end num">
            <span>{amount}</span>
            <small>{status}</small>
          </span>
          <Icon name="chevron-down" size={18} />
        </summary>
        <div className="journal">{children}</div>
      </details>
    </li>
  );
}
