import type { AuditEntry } from '@stagedoor/contract/audit.ts';
import { formatExact } from '../../kernel/dates.ts';
import { Pager } from '../../ui/pager.tsx';

export type ChangesProps = {
  label?: string;
  entries: readonly AuditEntry[];
  wordsOf: (entry: AuditEntry) => string[];
  onMore: (() => void) | undefined;
  busy: boolean;
  none?: string;
};

export function Changes({ label = 'Changes', entries, wordsOf, onMore, busy, none = 'No changes yet' }: ChangesProps) {
  if (entries.length === 0) return <p className="text-small text-muted">{none}</p>;
  return (
    <>
      <ul className="lines" aria-label={label}>
        {entries.map((entry) => (
          <li key={entry.place} className="grid gap-1 py-3">
            {wordsOf(entry).map((words) => (
              <span key={words} className="wrap-anywhere">
                {words}
              </span>
            ))}
            <span className="text-small text-muted num">
              {entry.operator ? `@${entry.operator.username}` : 'CLI'}, {formatExact(entry.at)}
            </span>
          </li>
        ))}
      </ul>
      {onMore && <Pager onMore={onMore} busy={busy} />}
    </>
  );
}
