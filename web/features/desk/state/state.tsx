import { PATHS } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import type { LiveState } from '@stagedoor/contract/state-desk.ts';
import type { ReactNode } from 'react';
import { formatBytes } from '../../../kernel/bytes.ts';
import { formatDayTime, formatExact } from '../../../kernel/dates.ts';
import { Lamp } from '../../../ui/avatar.tsx';
import { type Fact, FactList } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { StatCard, Stats } from '../../../ui/stat.tsx';
import { Table } from '../../../ui/table.tsx';
import { FailedJobs, JobKinds } from './jobs.tsx';
import { concerns, PART_WORDS } from './queries.ts';

const PART_STATE = { up: 'OK', down: 'Down', off: 'Not set up' } as const;
const MAIL_WAYS = {
  smtp: 'Mail server (SMTP)',
  mailbox: 'Development mailbox',
  none: 'Not set up',
} as const;
const ROLES: Readonly<Record<string, string>> = { both: 'Pages and jobs', web: 'Pages', worker: 'Jobs' };

const figure = (value: number) => value.toLocaleString('en-US');
const isDown = (words: string) => (
  <span className="inline-flex items-center gap-1.5 text-danger">
    <Icon name="warning" size={16} />
    {words}
  </span>
);

function Concerns({ state }: { state: LiveState }) {
  const words = concerns(state);
  return (
    <div role="status" className="grid gap-1.5">
      {words.length === 0 ? (
        <p>
          <Lamp>All systems operational</Lamp>
        </p>
      ) : (
        words.map((line) => <p key={line}>{isDown(line)}</p>)
      )}
    </div>
  );
}

function Part({ title, href, facts }: { title: string; href?: string; facts: readonly Fact[] }) {
  return (
    <section aria-label={title} className="grid content-start gap-2">
      <SectionHead title={title} {...(href !== undefined && { href, end: 'Open' })} />
      <FactList facts={facts} className="text-small" />
    </section>
  );
}

const queueFacts = ({ waiting, running, trying, failed }: LiveState['mail'] | LiveState['media']): Fact[] => [
  { name: 'Waiting', value: figure(waiting) },
  { name: 'Running', value: figure(running) },
  { name: 'Retrying', value: figure(trying) },
  { name: 'Failed', value: failed === 0 ? '0' : isDown(figure(failed)) },
];

function Faults({ faults, now }: { faults: LiveState['faults']; now: string }) {
  if (faults.length === 0) return <p className="text-small text-muted">No server errors in 24 hours</p>;
  return (
    <ul className="rows" aria-label="Server errors">
      {faults.map(({ route, code, count, lastAt, references }) => (
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
          <span className="num text-lead font-semibold">{figure(count)}</span>
        </li>
      ))}
    </ul>
  );
}

function Nodes({ nodes, now }: { nodes: NonNullable<LiveState['nodes']>; now: string }) {
  if (nodes.length === 0) return <p className="text-small text-muted">No running processes reported yet</p>;
  return (
    <Table
      caption="Running processes"
      columns={[{ head: 'Process' }, { head: 'Version' }, { head: 'Up since', wide: true }, { head: 'Memory' }]}
      rows={nodes.map(({ id, isThis, role, version, startedAt, memoryBytes }) => ({
        key: id,
        cells: [
          `${ROLES[role] ?? role}${isThis ? ' (this one)' : ''}`,
          version,
          formatDayTime(startedAt, now),
          formatBytes(memoryBytes),
        ],
      }))}
    />
  );
}

function Parts({ state, now }: { state: LiveState; now: string }) {
  const { parts, mail, payments, media, calls } = state;
  const when = (at: string | null) => (at === null ? 'Not yet' : formatDayTime(at, now));
  return (
    <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
      <Part
        title="Services"
        facts={parts.map(({ name, is }) => ({
          name: PART_WORDS[name],
          value: is === 'down' ? isDown(PART_STATE.down) : is === 'up' ? <Lamp>{PART_STATE.up}</Lamp> : PART_STATE.off,
        }))}
      />
      <Part
        title="Calls"
        href={DESK_PATHS.adminCalls}
        facts={[
          { name: 'Ongoing', value: figure(calls.open) },
          { name: 'Both connected', value: figure(calls.running) },
          {
            name: 'Connection',
            value: calls.provider === 'livekit' ? 'LiveKit' : calls.isRelayOnly ? 'Relay only' : 'Direct',
          },
          ...(calls.provider === 'webrtc' ? [{ name: 'Relay (TURN)', value: calls.hasRelay ? 'Set' : 'Not set' }] : []),
        ]}
      />
      <Part title="Email" facts={[{ name: 'Delivery', value: MAIL_WAYS[mail.way] }, ...queueFacts(mail)]} />
      <Part
        title={payments.isSandbox ? 'Payments (sandbox)' : 'Payments'}
        facts={[
          { name: 'Events in the last hour', value: figure(payments.webhooks) },
          { name: 'Last event', value: when(payments.lastWebhookAt) },
          { name: 'Last processor response', value: when(payments.lastAnswerAt) },
          { name: 'To review', value: figure(payments.quarantined) },
          {
            name: 'Deposits in the last hour',
            value: `${figure(payments.deposits)}, ${formatUsd(payments.deposited)}`,
          },
        ]}
      />
      <Part
        title="Media"
        facts={[
          ...queueFacts(media),
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

export function State({ state }: { state: LiveState }) {
  const { at, jobs, mail, calls, faults, nodes } = state;
  const failures = faults.reduce((sum, { count }) => sum + count, 0);
  const due = jobs?.kinds.reduce((sum, kind) => sum + kind.due + kind.running, 0);
  return (
    <div className="grid content-start gap-8">
      <Concerns state={state} />
      <Stats label="At a glance">
        {due === undefined ? (
          <StatCard
            name="Uploads in progress"
            value={figure(state.media.running)}
            note={`${figure(state.media.waiting)} waiting`}
          />
        ) : (
          <StatCard name="Jobs to run" value={figure(due)} note={jobs?.isMore ? 'At least' : 'Now'} />
        )}
        <StatCard name="Emails waiting" value={figure(mail.waiting)} note={MAIL_WAYS[mail.way]} />
        <StatCard name="Calls" value={figure(calls.open)} note="Ongoing" />
        <StatCard name="Failures" value={figure(failures)} note="Server errors (24 h)" />
      </Stats>
      {jobs && jobs.failures.length > 0 && (
        <Section id="failed-jobs" title="Failed jobs">
          <FailedJobs failures={jobs.failures} now={at} />
        </Section>
      )}
      <Parts state={state} now={at} />
      <Section id="failures" title="Server errors">
        <Faults faults={faults} now={at} />
      </Section>
      {jobs && (
        <Section id="job-kinds" title="Jobs by type">
          <JobKinds kinds={jobs.kinds} now={at} />
        </Section>
      )}
      {nodes && (
        <Section id="processes" title="Processes">
          <Nodes nodes={nodes} now={at} />
        </Section>
      )}
      <p className="text-small text-muted">
        As of {formatExact(at)}. Refreshes every 5 seconds.{' '}
        <UiLink href={PATHS.admin} className="link">
          Work queue
        </UiLink>
      </p>
    </div>
  );
}
