import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { CLOCK_LIMITS, type SystemStatus } from '@stagedoor/contract/admin/system-status.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ReactNode } from 'react';
import { formatBytes } from '../../../../platform/bytes.ts';
import { formatDayTime, formatExactTime } from '../../../../platform/dates.ts';
import { StatusDot } from '../../../../ui/avatar.tsx';
import { type DefinitionItem, DefinitionList } from '../../../../ui/definition-list.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { SectionHead } from '../../../../ui/label.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { StatCard, Stats } from '../../../../ui/stat.tsx';
import { Table } from '../../../../ui/table.tsx';
import { FailedJobs, JobKinds } from './jobs.tsx';
import { formatClockOffset, listProblems, SERVICE_LABELS } from './queries.ts';
import * as texts from './texts.ts';

const SERVICE_STATUS_LABELS = { up: 'OK', down: texts.down, off: texts.notSetUp } as const;
const MAIL_TRANSPORT_LABELS = {
  smtp: texts.mailServerSmtp,
  mailbox: texts.developmentMailbox,
  none: texts.notSetUp,
} as const;
const ROLE_LABELS: Readonly<Record<string, string>> = {
  both: texts.pagesAndJobs,
  web: texts.pages,
  worker: texts.jobs,
};

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
          <StatusDot>{texts.allSystemsOperational}</StatusDot>
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
      <SectionHead title={title} {...(href !== undefined && { href, end: texts.openLink })} />
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
  if (errorStats.length === 0) return <p className="text-small text-muted">{texts.noRecentServerErrors}</p>;
  return (
    <ul className="rows" aria-label={texts.serverErrors}>
      {errorStats.map(({ route, code, count, lastAt, references }) => (
        <li key={`${route} ${code}`} className="row row--bare items-start">
          <div className="min-w-0">
            <p className="row__title wrap-anywhere">{route}</p>
            <p className="text-small text-muted">
              {formatNodes(texts.errorLastSeen, {
                code,
                lastAt: <time dateTime={lastAt}>{formatDayTime(lastAt, now)}</time>,
              })}
            </p>
            <p className="pt-1 text-small wrap-anywhere">
              <span className="text-muted">{references.length === 1 ? texts.reference : texts.references}</span>
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

function renderClock(offsetMs: number | null) {
  if (offsetMs === null) return texts.notCompared;
  return Math.abs(offsetMs) > CLOCK_LIMITS.reportedMs ? renderWarning(formatClockOffset(offsetMs)) : texts.clockRight;
}

function ProcessTable({ processes, now }: { processes: NonNullable<SystemStatus['processes']>; now: string }) {
  if (processes.length === 0) return <p className="text-small text-muted">{texts.noProcessesYet}</p>;
  return (
    <Table
      caption={texts.runningProcesses}
      columns={[
        { head: texts.process },
        { head: texts.version },
        { head: texts.upSince, wide: true },
        { head: texts.memory },
        { head: texts.clock },
      ]}
      rows={processes.map(({ id, isCurrent, role, version, startedAt, memoryBytes, clockOffsetMs }) => ({
        key: id,
        cells: [
          `${ROLE_LABELS[role] ?? role}${isCurrent ? texts.thisProcess : ''}`,
          version,
          formatDayTime(startedAt, now),
          formatBytes(memoryBytes),
          renderClock(clockOffsetMs),
        ],
      }))}
    />
  );
}

function StatusParts({ systemStatus, now }: { systemStatus: SystemStatus; now: string }) {
  const { services, mail, payments, media, calls } = systemStatus;
  const formatTime = (at: string | null) => (at === null ? texts.notYet : formatDayTime(at, now));
  return (
    <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
      <StatusPart
        title={texts.services}
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
        title={texts.calls}
        href={ADMIN_PATHS.adminCalls}
        details={[
          { name: 'Ongoing', value: formatNumber(calls.open) },
          { name: texts.bothConnected, value: formatNumber(calls.running) },
          {
            name: 'Connection',
            value: calls.provider === 'livekit' ? 'LiveKit' : calls.isRelayOnly ? texts.relayOnly : 'Direct',
          },
          ...(calls.provider === 'webrtc'
            ? [{ name: texts.relayTurn, value: calls.hasRelay ? 'Set' : texts.notSet }]
            : []),
        ]}
      />
      <StatusPart
        title={texts.email}
        details={[{ name: texts.delivery, value: MAIL_TRANSPORT_LABELS[mail.transport] }, ...listQueueDetails(mail)]}
      />
      <StatusPart
        title={payments.isSandbox ? texts.paymentsSandbox : texts.payments}
        details={[
          { name: texts.eventsInTheLastHour, value: formatNumber(payments.webhooks) },
          { name: texts.lastEvent, value: formatTime(payments.lastWebhookAt) },
          { name: texts.lastProcessorResponse, value: formatTime(payments.lastResponseAt) },
          { name: texts.toReview, value: formatNumber(payments.quarantined) },
          {
            name: texts.depositsInTheLastHour,
            value: `${formatNumber(payments.deposits)}, ${formatUsd(payments.deposited)}`,
          },
        ]}
      />
      <StatusPart
        title={texts.media}
        details={[
          ...listQueueDetails(media),
          {
            name: texts.diskFree,
            value:
              media.diskFreeBytes === null || media.diskBytes === null
                ? 'Unknown'
                : `${formatBytes(media.diskFreeBytes)} of ${formatBytes(media.diskBytes)}`,
          },
          { name: texts.fileStorage, value: media.store === 's3' ? 'S3' : texts.localDisk },
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
      <Stats label={texts.atAGlance}>
        {due === undefined ? (
          <StatCard
            name="Uploads in progress"
            value={formatNumber(systemStatus.media.running)}
            note={formatText(texts.waitingCount, { count: formatNumber(systemStatus.media.waiting) })}
          />
        ) : (
          <StatCard name="Jobs to run" value={formatNumber(due)} note={jobs?.isMore ? texts.atLeast : texts.now} />
        )}
        <StatCard
          name="Emails waiting"
          value={formatNumber(mail.waiting)}
          note={MAIL_TRANSPORT_LABELS[mail.transport]}
        />
        <StatCard name="Calls" value={formatNumber(calls.open)} note={texts.ongoing} />
        <StatCard name="Failures" value={formatNumber(failures)} note={texts.recentServerErrors} />
      </Stats>
      {jobs && jobs.failures.length > 0 && (
        <Section id="failed-jobs" title={texts.failedJobs}>
          <FailedJobs failures={jobs.failures} now={at} />
        </Section>
      )}
      <StatusParts systemStatus={systemStatus} now={at} />
      <Section id="failures" title={texts.serverErrors}>
        <ErrorStatsList errorStats={errorStats} now={at} />
      </Section>
      {jobs && (
        <Section id="job-kinds" title={texts.jobsByType}>
          <JobKinds kinds={jobs.kinds} now={at} />
        </Section>
      )}
      {processes && (
        <Section id="processes" title={texts.processes}>
          <ProcessTable processes={processes} now={at} />
        </Section>
      )}
      <p className="text-small text-muted">
        {formatNodes(texts.refreshNote, {
          time: formatExactTime(at),
          link: (
            <UiLink href={PATHS.admin} className="link">
              {texts.workQueue}
            </UiLink>
          ),
        })}
      </p>
    </div>
  );
}
