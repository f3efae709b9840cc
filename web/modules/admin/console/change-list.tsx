import type { AuditEntry } from '@stagedoor/contract/admin/audit-log.ts';
import { formatExactTime } from '../../../platform/dates.ts';
import { Pager } from '../../../ui/pager.tsx';
import * as texts from './texts.ts';

export type ChangeListProps = {
  label?: string;
  entries: readonly AuditEntry[];
  formatEntry: (entry: AuditEntry) => string[];
  onMore: (() => void) | undefined;
  busy: boolean;
  emptyText?: string;
};

export function ChangeList({
  label = texts.changes,
  entries,
  formatEntry,
  onMore,
  busy,
  emptyText = texts.noChangesYet,
}: ChangeListProps) {
  if (entries.length === 0) return <p className="text-small text-muted">{emptyText}</p>;
  return (
    <>
      <ul className="lines" aria-label={label}>
        {entries.map((entry) => (
          <li key={entry.position} className="grid gap-1 py-3">
            {formatEntry(entry).map((line) => (
              <span key={line} className="wrap-anywhere">
                {line}
              </span>
            ))}
            <span className="text-small text-muted num">
              {entry.operator ? `@${entry.operator.username}` : 'CLI'}, {formatExactTime(entry.at)}
            </span>
          </li>
        ))}
      </ul>
      {onMore && <Pager onMore={onMore} busy={busy} />}
    </>
  );
}
