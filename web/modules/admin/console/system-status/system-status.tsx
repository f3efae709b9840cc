import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import type { SystemStatus } from '@stagedoor/contract/admin/system-status.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ReactNode } from 'react';
import { formatBytes } from '../../../../platform/bytes.ts';
import { formatDayTime, formatExactTime } from '../../../../platform/dates.ts';
import { StatusDot } from '../../../../ui/avatar.tsx';
import { type DefinitionItem, DefinitionList } from '../../../../ui/definition-list.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { SectionHead } from '../../../../ui/label.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { StatCard, Stats } from '../../../../ui/stat.tsx';
import { Table } from '../../../../ui/table.tsx';
import { FailedJobs, JobKinds } from './jobs.tsx';
import { listProblems, SERVICE_LABELS } from './queries.ts';

const SERVICE_STATUS_LABELS = { up: 'OK', down: 'Down', off: 'Not set up' } as const;
const MAIL_TRANSPORT_LABELS = {
  smtp: 'Mail server (SMTP)',
  mailbox: 'Development mailbox',
  none: 'Not set up',
} as const;
const ROLE_LABELS: Readonly<Record<string, string>> = { both: 'Pages and jobs', web: 'Pages', worker: 'Jobs' };

const formatNumber = (value: number) => value.toLocaleString('en-US');
const renderWarning = (text: string) => (
  <span className="inline-flex items-center gap-1.5 text-danger">
    <Icon name="warning" size={16} />
    {text}
  </span>
);

function ProblemList({ systemStatus }: { systemStatus: SystemStatus }) {
  const problems = listProblems(systemStatus);
  return (
    <div role="status" className="grid gap-1.5">
      {problems.length === 0 ? (
        <p>
          <StatusDot>All systems operational</StatusDot>
        </p>
      ) : (
        problems.map((problem) => <p key={problem}>{renderWarning(problem)}</p>)
      )}
    </div>
  );
}

function StatusPart({ title, href, details }: { title: string; href?: string; details: readonly DefinitionItem[] }) {
  return (
    <section aria-label={title} className="grid content-start gap-2">
      <SectionHead title={title} {...(href !== undefined && { href, end: 'Open' })} />
      <DefinitionList items={details} className="text-small" />
    </section>
  );
}

const listQueueDetails = ({
  waiting,
  running,
  retrying,
  failed,
}: SystemStatus['mail'] | SystemStatus['media']): DefinitionItem[] => [
  { name: 'Waiting', value: formatNumber(waiting) },
  { name: 'Running', value: formatNumber(running) },
  { name: 'Retrying', value: formatNumber(retrying) },
  { name: 'Failed', value: failed === 0 ? '0' : renderWarning(formatNumber(failed)) },
];

function ErrorStatsList({ errorStats, now }: { errorStats: SystemStatus['errorStats']; now: string }) {
  if (errorStats.length === 0) return <p className="text-small text-muted">No server errors in 24 hours</p>;
  return (
    <ul className="rows" aria-label="Server errors">
      {errorStats.map(({ route, code, count, lastAt, references }) => (
        <li key={`${route} ${code}`} className="row row--bare items-start">
          <div className="min-w-0">
            <p className="row__title wrap-anywhere">{route}</p>
            <p className="text-small text-muted">
              {code}, last <time dateTime={lastAt}>{formatDayTime(lastAt, now)}</time>
            </p>
            <p className="pt-1 text-small wrap-anywhere">
              <span className="text-muted">{references.length === 1 ? 'Reference ' : 'References '}</span>
              {references.map((reference, index) => (
                <span key={reference}>
                  {index > 0 && ', '}
                  <span className="num">{reference}</span>
                </span>
              ))}
            </p>
          </div>
          <span className="num text-lead font-semibold">{formatNumber(count)}</span>
        </li>
      ))}
    </ul>
  );
}

function ProcessTable({ processes, now }: { processes: NonNullable<SystemStatus['processes']>; now: string }) {
  if (processes.length === 0) return <p className="text-small text-muted">No running processes reported yet</p>;
  return (
    <Table
      caption="Running processes"
      columns={[{ head: 'Process' }, { head: 'Version' }, { head: 'Up since', wide: true }, { head: 'Memory' }]}
      rows={processes.map(({ id, isCurrent, role, version, startedAt, memoryBytes }) => ({
        key: id,
        cells: [
          `${ROLE_LABELS[role] ?? role}${isCurrent ? ' (this one)' : ''}`,
          version,
          formatDayTime(startedAt, now),
          formatBytes(memoryBytes),
        ],
      }))}
    />
  );
}

function StatusParts({ systemStatus, now }: { systemStatus: SystemStatus; now: string }) {
  const { services, mail, payments, media, calls } = systemStatus;
  const formatTime = (at: string | null) => (at === null ? 'Not yet' : formatDayTime(at, now));
  return (
    <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
      <StatusPart
        title="Services"
        details={services.map(({ name, status: serviceStatus }) => ({
          name: SERVICE_LABELS[name],
          value:
            serviceStatus === 'down' ? (
              renderWarning(SERVICE_STATUS_LABELS.down)
            ) : serviceStatus === 'up' ? (
              <StatusDot>{SERVICE_STATUS_LABELS.up}</StatusDot>
            ) : (
              SERVICE_STATUS_LABELS.off
            ),
        }))}
      />
      <StatusPart
        title="Calls"
        href={ADMIN_PATHS.adminCalls}
        details={[
          { name: 'Ongoing', value: formatNumber(calls.open) },
          { name: 'Both connected', value: formatNumber(calls.running) },
          {
            name: 'Connection',
            value: calls.provider === 'livekit' ? 'LiveKit' : calls.isRelayOnly ? 'Relay only' : 'Direct',
          },
          ...(calls.provider === 'webrtc' ? [{ name: 'Relay (TURN)', value: calls.hasRelay ? 'Set' : 'Not set' }] : []),
        ]}
      />
      <StatusPart
        title="Email"
        details={[{ name: 'Delivery', value: MAIL_TRANSPORT_LABELS[mail.transport] }, ...listQueueDetails(mail)]}
      />
      <StatusPart
        title={payments.isSandbox ? 'Payments (sandbox)' : 'Payments'}
        details={[
          { name: 'Events in the last hour', value: formatNumber(payments.webhooks) },
          { name: 'Last event', value: formatTime(payments.lastWebhookAt) },
          { name: 'Last processor response', value: formatTime(payments.lastResponseAt) },
          { name: 'To review', value: formatNumber(payments.quarantined) },
          {
            name: 'Deposits in the last hour',
            value: `${formatNumber(payments.deposits)}, ${formatUsd(payments.deposited)}`,
          },
        ]}
      />
      <StatusPart
        title="Media"
        details={[
          ...listQueueDetails(media),
          {
            name: 'Disk free',
            value:
              media.diskFreeBytes === null || media.diskBytes === null
                ? 'Unknown'
                : `${formatBytes(media.diskFreeBytes)} of ${formatBytes(media.diskBytes)}`,
          },
          { name: 'File storage', value: media.store === 's3' ? 'S3' : 'Local disk' },
        ]}
      />
    </div>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <SectionHead id={id} title={title} />
      {children}
    </section>
  );
}

export function SystemStatusView({ systemStatus }: { systemStatus: SystemStatus }) {
  const { at, jobs, mail, calls, errorStats, processes } = systemStatus;
  const failures = errorStats.reduce((sum, { count }) => sum + count, 0);
  const due = jobs?.kinds.reduce((sum, kind) => sum + kind.due + kind.running, 0);
  return (
    <div className="grid content-start gap-8">
      <ProblemList systemStatus={systemStatus} />
      <Stats label="At a glance">
        {due === undefined ? (
          <StatCard
            name="Uploads in progress"
            value={formatNumber(systemStatus.media.running)}
            note={`${formatNumber(systemStatus.media.waiting)} waiting`}
          />
        ) : (
          <StatCard name="Jobs to run" value={formatNumber(due)} note={jobs?.isMore ? 'At least' : 'Now'} />
        )}
        <StatCard
          name="Emails waiting"
          value={formatNumber(mail.waiting)}
          note={MAIL_TRANSPORT_LABELS[mail.transport]}
        />
        <StatCard name="Calls" value={formatNumber(calls.open)} note="Ongoing" />
        <StatCard name="Failures" value={formatNumber(failures)} note="Server errors (24 h)" />
      </Stats>
      {jobs && jobs.failures.length > 0 && (
        <Section id="failed-jobs" title="Failed jobs">
          <FailedJobs failures={jobs.failures} now={at} />
        </Section>
      )}
      <StatusParts systemStatus={systemStatus} now={at} />
      <Section id="failures" title="Server errors">
        <ErrorStatsList errorStats={errorStats} now={at} />
      </Section>
      {jobs && (
        <Section id="job-kinds" title="Jobs by type">
          <JobKinds kinds={jobs.kinds} now={at} />
        </Section>
      )}
      {processes && (
        <Section id="processes" title="Processes">
          <ProcessTable processes={processes} now={at} />
        </Section>
      )}
      <p className="text-small text-muted">
        As of {formatExactTime(at)}. Refreshes every 5 seconds.{' '}
        <UiLink href={PATHS.admin} className="link">
          Work queue
        </UiLink>
      </p>
    </div>
  );
}
