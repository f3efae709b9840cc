import { casePath } from '@stagedoor/contract/case-addresses.ts';
import type { CaseLine } from '@stagedoor/contract/cases-desk.ts';
import type { ReactNode } from 'react';
import { formatDayTime } from '../../../kernel/dates.ts';
import { SectionHead } from '../../../ui/label.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { STATE_WORDS } from '../cases/words.ts';

export function Part({
  id,
  title,
  end,
  children,
}: {
  id: string;
  title: string;
  end?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <SectionHead id={id} title={title} />
      {end}
      {children}
    </section>
  );
}

export function CaseRows({ lines, label, now }: { lines: readonly CaseLine[]; label: string; now: string }) {
  if (lines.length === 0) return <p className="text-small text-muted">None.</p>;
  return (
    <Rows closed label={label}>
      {lines.map(({ id, title, reference, state, openedAt }) => (
        <Row
          key={id}
          href={casePath(id)}
          title={title}
          sub={`${reference} · ${STATE_WORDS[state]}`}
          end={<span className="text-small text-muted num">{formatDayTime(openedAt, now)}</span>}
        />
      ))}
    </Rows>
  );
}
