import type { CaseSummary } from '@stagedoor/contract/admin/cases.ts';
import { casePath } from '@stagedoor/contract/trust/case-addresses.ts';
import type { ReactNode } from 'react';
import { formatDayTime } from '../../../../platform/dates.ts';
import { SectionHead } from '../../../../ui/label.tsx';
import { Row, Rows } from '../../../../ui/rows.tsx';
import { CASE_STATE_LABELS } from '../cases/case-labels.ts';
import * as texts from './texts.ts';

export function DetailSection({
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

export function CaseSummaryRows({ cases, label, now }: { cases: readonly CaseSummary[]; label: string; now: string }) {
  if (cases.length === 0) return <p className="text-small text-muted">{texts.none}</p>;
  return (
    <Rows closed label={label}>
      {cases.map(({ id, title, reference, state, openedAt }) => (
        <Row
          key={id}
          href={casePath(id)}
          title={title}
          sub={`${reference} · ${CASE_STATE_LABELS[state]}`}
          end={<span className="text-small text-muted num">{formatDayTime(openedAt, now)}</span>}
        />
      ))}
    </Rows>
  );
}
