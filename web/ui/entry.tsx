import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';

export function Entries({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="lines" aria-label={label}>
      {children}
    </ul>
  );
}

export interface EntryProps {
  lead: ReactNode;
  title: ReactNode;
  sub: ReactNode;
  /** Formatted with sign and two decimals. */
  amount: string;
  word: string;
  void?: boolean | undefined;
  onOpen?: (() => void) | undefined;
  children: ReactNode;
}

export function Entry({ lead, title, sub, amount, word, void: struck, onOpen, children }: EntryProps) {
  return (
    <li>
      <details className="entry" onToggle={(event) => event.currentTarget.open && onOpen?.()}>
        <summary className={cx(struck && 'row--void')}>
          {lead}
          <span className="min-w-0">
            <bdi className="row__title">{title}</bdi>
            <span className="row__sub">{sub}</span>
          </span>
          <span className="row__end num">
            <span>{amount}</span>
            <small>{word}</small>
          </span>
          <Icon name="chevron-down" size={18} />
        </summary>
        <div className="journal">{children}</div>
      </details>
    </li>
  );
}
