import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import type { AuditEntry } from '@stagedoor/contract/admin/audit-log.ts';
import { exportAuditLog } from '@stagedoor/contract/admin/audit-log.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Form } from 'react-router';
import { isolateText } from '../../../platform/bidi.ts';
import { formatCount, formatDayTime, formatExactTime } from '../../../platform/dates.ts';
import { downloadFile } from '../../../platform/download.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../ui/expandable-row.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { UiLink } from '../../../ui/link.tsx';
import { Glyph } from '../../../ui/rows.tsx';
import { findSubjectPath, formatAction, formatDetail } from './audit-labels.ts';
import { DateRangeFields } from './parts.tsx';
import { type AuditFilters, auditFilterOptionsQuery, chainQuery } from './queries.ts';
import * as texts from './texts.ts';

export function AuditChainStatus() {
  const query = useQuery(chainQuery());
  if (query.isError)
    return (
      <p className="proof">
        <span>{texts.chainError}</span>
        <Button variant="quiet" onClick={() => void query.refetch()}>
          {texts.tryAgain}
        </Button>
      </p>
    );
  if (!query.data) return <p className="proof text-muted">{texts.verifyingTheChain}</p>;
  const { count, brokenAt, head, checkedAt } = query.data;
  const label =
    brokenAt === null
      ? formatText(texts.chainIntact, { entryCount: formatCount(count, 'entry', 'entries') })
      : formatText(texts.chainBrokenAtEntry, { position: brokenAt.toLocaleString('en-US') });
  return (
    <div className="grid gap-1">
      <p>
        <StatusDot state={brokenAt === null ? 'on' : 'danger'}>{label}</StatusDot>
      </p>
      <p className="ld__code num">
        {formatNodes(texts.chainChecked, {
          time: formatExactTime(checkedAt),
          lastHash: head !== null && `. Last hash ${head}`,
        })}
      </p>
    </div>
  );
}

function toActionOptions(actions: readonly string[]) {
  const subjects = [...new Set(actions.map((action) => action.split('.')[0] ?? action))];
  return subjects.flatMap((subject) => [
    { value: subject, label: formatText(texts.allSubjectActions, { subject: formatAction(subject) }) },
    ...actions
      .filter((action) => action.startsWith(`${subject}.`))
      .map((action) => ({ value: action, label: formatAction(action) })),
  ]);
}

export function AuditFields({ filters }: { filters: AuditFilters }) {
  const { data } = useQuery(auditFilterOptionsQuery());
  const saving = useMutation({
    mutationFn: () => downloadFile(exportAuditLog, { query: filters }, 'stagedoor-audit.csv'),
  });
  return (
    <Form
      action={ADMIN_PATHS.adminAudit}
      className="ld__filters"
      key={`${JSON.stringify(filters)} ${data !== undefined}`}
      role="search"
    >
      <SelectField
        label={texts.action}
        name="action"
        placeholder={texts.anyAction}
        options={toActionOptions(data?.actions ?? [])}
        defaultValue={filters.action ?? ''}
      />
      <SelectField
        label={texts.actor}
        name="operatorId"
        placeholder={texts.anyone}
        options={(data?.operators ?? []).map(({ id, username }) => ({ value: id, label: username }))}
        defaultValue={filters.operatorId ?? ''}
      />
      <TextField
        label={texts.target}
        name="subjectId"
        autoComplete="off"
        placeholder={texts.targetId}
        defaultValue={filters.subjectId ?? ''}
      />
      <DateRangeFields from={filters.from} to={filters.to} />
      <Button type="submit" variant="ink">
        {texts.filter}
      </Button>
      <Button icon="download" busy={saving.isPending} busyText={texts.exporting} onClick={() => saving.mutate()}>
        {texts.exportCsv}
      </Button>
    </Form>
  );
}

function AuditSubject({ kind, id }: { kind: string; id: string }) {
  const href = findSubjectPath(kind, id);
  const label = <span className="wrap-anywhere">{`${formatAction(kind)} ${id}`}</span>;
  return href === undefined ? (
    label
  ) : (
    <UiLink href={href} className="link">
      {label}
    </UiLink>
  );
}

const formatSubtitle = ({ operator, details }: AuditEntry) =>
  [operator ? `@${operator.username}` : 'CLI', details.reason && isolateText(String(details.reason))]
    .filter(Boolean)
    .join(' · ');

export function AuditRows({ entries, now }: { entries: readonly AuditEntry[]; now: string }) {
  return (
    <ExpandableRows label={texts.auditLog}>
      {entries.map((entry) => (
        <ExpandableRow
          key={entry.position}
          lead={<Glyph icon="check" />}
          title={formatAction(entry.action)}
          sub={formatSubtitle(entry)}
          amount={`#${entry.position.toLocaleString('en-US')}`}
          status={formatDayTime(entry.at, now)}
        >
          <DefinitionList
            items={[
              { name: 'When', value: formatExactTime(entry.at) },
              { name: 'Target', value: <AuditSubject kind={entry.subjectKind} id={entry.subjectId} /> },
              ...Object.entries(entry.details)
                .map(formatDetail)
                .map(({ name, value }) => ({ name, value: <bdi className="wrap-anywhere">{value}</bdi> })),
              { name: 'Hash', value: <span className="wrap-anywhere">{entry.hash}</span> },
            ]}
          />
        </ExpandableRow>
      ))}
    </ExpandableRows>
  );
}
