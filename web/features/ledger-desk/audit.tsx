import type { AuditEntry } from '@stagedoor/contract/audit.ts';
import { exportAudit } from '@stagedoor/contract/audit.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Form } from 'react-router';
import { isolated } from '../../kernel/bidi.ts';
import { formatDayTime, formatExact, plural } from '../../kernel/dates.ts';
import { download } from '../../kernel/download.ts';
import { Lamp } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Entries, Entry } from '../../ui/entry.tsx';
import { FactList } from '../../ui/facts.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Glyph } from '../../ui/rows.tsx';
import { actWords, factWords, placeOf } from './acts.ts';
import { DayFields } from './parts.tsx';
import { type AuditFilters, auditWordsQuery, chainQuery } from './queries.ts';

export function Chain() {
  const query = useQuery(chainQuery());
  if (query.isError)
    return (
      <p className="proof">
        <span>Couldn’t verify the chain.</span>
        <Button variant="quiet" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </p>
    );
  if (!query.data) return <p className="proof text-muted">Verifying the chain…</p>;
  const { count, brokenAt, head, checkedAt } = query.data;
  const words =
    brokenAt === null
      ? `Chain intact: ${plural(count, 'entry', 'entries')}`
      : `Chain broken at entry ${brokenAt.toLocaleString('en-US')}`;
  return (
    <div className="grid gap-1">
      <p>
        <Lamp state={brokenAt === null ? 'on' : 'danger'}>{words}</Lamp>
      </p>
      <p className="ld__code num">
        Checked {formatExact(checkedAt)}
        {head !== null && `. Last hash ${head}`}
      </p>
    </div>
  );
}

function actOptions(acts: readonly string[]) {
  const subjects = [...new Set(acts.map((act) => act.split('.')[0] ?? act))];
  return subjects.flatMap((subject) => [
    { value: subject, label: `${actWords(subject)}: all` },
    ...acts.filter((act) => act.startsWith(`${subject}.`)).map((act) => ({ value: act, label: actWords(act) })),
  ]);
}

export function AuditFields({ filters }: { filters: AuditFilters }) {
  const { data } = useQuery(auditWordsQuery());
  const saving = useMutation({
    mutationFn: () => download(exportAudit, { query: filters }, 'stagedoor-audit.csv'),
  });
  return (
    <Form
      action={DESK_PATHS.adminAudit}
      className="ld__filters"
      key={`${JSON.stringify(filters)} ${data !== undefined}`}
      role="search"
    >
      <SelectField
        label="Action"
        name="act"
        placeholder="Any action"
        options={actOptions(data?.acts ?? [])}
        defaultValue={filters.act ?? ''}
      />
      <SelectField
        label="Who"
        name="operatorId"
        placeholder="Anyone"
        options={(data?.operators ?? []).map(({ id, username }) => ({ value: id, label: username }))}
        defaultValue={filters.operatorId ?? ''}
      />
      <TextField
        label="Target"
        name="subjectId"
        autoComplete="off"
        placeholder="ID"
        defaultValue={filters.subjectId ?? ''}
      />
      <DayFields from={filters.from} to={filters.to} />
      <Button type="submit" variant="ink">
        Filter
      </Button>
      <Button icon="download" busy={saving.isPending} busyText="Exporting…" onClick={() => saving.mutate()}>
        Export CSV
      </Button>
    </Form>
  );
}

function Subject({ kind, id }: { kind: string; id: string }) {
  const place = placeOf(kind, id);
  const words = <span className="wrap-anywhere">{`${actWords(kind)} ${id}`}</span>;
  return place === undefined ? (
    words
  ) : (
    <UiLink href={place} className="link">
      {words}
    </UiLink>
  );
}

const subOf = ({ operator, facts }: AuditEntry) =>
  [operator ? `@${operator.username}` : 'CLI', facts.ground && isolated(String(facts.ground))]
    .filter(Boolean)
    .join(' · ');

export function AuditRows({ entries, now }: { entries: readonly AuditEntry[]; now: string }) {
  return (
    <Entries label="Audit log">
      {entries.map((entry) => (
        <Entry
          key={entry.place}
          lead={<Glyph icon="check" />}
          title={actWords(entry.act)}
          sub={subOf(entry)}
          amount={`#${entry.place.toLocaleString('en-US')}`}
          word={formatDayTime(entry.at, now)}
        >
          <FactList
            facts={[
              { name: 'When', value: formatExact(entry.at) },
              { name: 'Target', value: <Subject kind={entry.subjectKind} id={entry.subjectId} /> },
              ...Object.entries(entry.facts)
                .map(factWords)
                .map(({ name, value }) => ({ name, value: <bdi className="wrap-anywhere">{value}</bdi> })),
              { name: 'Hash', value: <span className="wrap-anywhere">{entry.hash}</span> },
            ]}
          />
        </Entry>
      ))}
    </Entries>
  );
}
