import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { type Alarm, type listAlarms, resolveAlarm, startLedgerCheck } from '@stagedoor/contract/admin/ledger.ts';
import { REASON_LENGTH } from '@stagedoor/contract/admin/processor-webhooks.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { type FormEvent, useState } from 'react';
import { formatDayTime, formatExactTime } from '../../../platform/dates.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { isStepUpRequired, requestStepUp, useCanCallRoute } from '../../../platform/operator.ts';
import { useUnsavedChanges } from '../../../platform/unsaved.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { Banner } from '../../../ui/states.tsx';

type AlarmsPage = ResponseOf<typeof listAlarms>;

const COMPARISON_LABELS = {
  sums: 'Ledger balances',
  log: 'The public log',
  orders: 'Orders and ledger',
  processor: 'The card processor’s export',
} as const;

/** `now` is an ISO timestamp. */
export function LedgerChecks({ page, now, onStarted }: { page: AlarmsPage; now: string; onStarted: () => void }) {
  const start = useApiMutation(startLedgerCheck, { showSuccessMessage: true, onSuccess: onStarted });
  const canCheck = useCanCallRoute(startLedgerCheck);
  const { checks, isChecking, otherDifferences, arePayoutsHalted } = page;
  return (
    <>
      {arePayoutsHalted ? (
        <Banner kind="error">Payouts are stopped until a new check passes and all alerts are resolved.</Banner>
      ) : (
        <p>
          <StatusDot>Ledger OK as of the last check. Payouts are running.</StatusDot>
        </p>
      )}
      <section aria-labelledby="checks" className="grid gap-4">
        <SectionHead id="checks" title="Checks" />
        <DefinitionList
          items={checks.map(({ comparison, at, isClean }) => ({
            name: COMPARISON_LABELS[comparison],
            value: at === null ? 'Not run yet' : `${isClean ? 'OK' : 'Discrepancies found'}, ${formatDayTime(at, now)}`,
          }))}
        />
        {otherDifferences.length > 0 && (
          <Rows closed label="Other discrepancies">
            {otherDifferences.map(({ label, count, oldestAt }) => (
              <Row
                key={label}
                href={ADMIN_PATHS.adminDifferences}
                title={label}
                sub={`Oldest: ${formatDayTime(oldestAt, now)}`}
                end={<span className="num">{count.toLocaleString('en-US')}</span>}
              />
            ))}
          </Rows>
        )}
        <div className={canCheck ? 'flex flex-wrap items-center gap-4' : 'hidden'}>
          <Button
            icon="refresh"
            busy={start.isPending || isChecking}
            busyText="Checking…"
            onClick={() => start.mutate({})}
          >
            Run full check
          </Button>
          <p className="text-small text-muted">Checks all balances and the full log. Runs nightly; can take minutes.</p>
        </div>
      </section>
    </>
  );
}

function ResolveForm({ id, onDone }: { id: Alarm['id']; onDone: () => void }) {
  const [reason, setReason] = useState('');
  const canResolve = useCanCallRoute(resolveAlarm);
  const resolve = useApiMutation(resolveAlarm, {
    showErrorMessage: false,
    onSuccess: onDone,
    onError: (error, request) => {
      if (isStepUpRequired(error)) requestStepUp(() => resolve.mutate(request));
    },
  });
  useUnsavedChanges(reason !== '' && !resolve.isSuccess, resolve.isPending);
  const send = (event: FormEvent) => {
    event.preventDefault();
    resolve.mutate({ params: { id }, body: { reason } });
  };
  if (!canResolve) return null;
  return (
    <form className="grid gap-3" onSubmit={send}>
      <TextAreaField
        label="Cause"
        hint="Recorded in the audit log."
        rows={2}
        required
        minLength={REASON_LENGTH.min}
        counter={REASON_LENGTH.max}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {resolve.error && !isStepUpRequired(resolve.error) && <InlineError message={resolve.error.message} />}
      <div>
        <Button type="submit" variant="ink" busy={resolve.isPending} busyText="Resolving…">
          Resolve
        </Button>
      </div>
    </form>
  );
}

const STATE_LABELS: Readonly<Record<Alarm['state'], string>> = {
  active: 'Failing as of the last check',
  passed: 'Passing again: add the cause',
  resolved: 'Resolved',
};
const TONES = { active: 'danger', passed: 'away', resolved: 'on' } as const;

export function AlarmList({ alarms, now, onDone }: { alarms: readonly Alarm[]; now: string; onDone: () => void }) {
  return alarms.map(({ id, state, comparison, check, examples, openedAt, lastSeenAt, passedAt, resolved }) => (
    <article key={id} className="grid gap-3 border-t border-line pt-4" aria-label={check}>
      <h3 className="font-semibold wrap-anywhere first-letter:uppercase">{check}</h3>
      <p className="text-small">
        <StatusDot state={TONES[state]}>{STATE_LABELS[state]}</StatusDot>
      </p>
      <DefinitionList
        items={[
          { name: 'Found by', value: COMPARISON_LABELS[comparison] },
          { name: 'Since', value: formatExactTime(openedAt) },
          { name: 'Last seen', value: formatDayTime(lastSeenAt, now) },
          ...(passedAt ? [{ name: 'Passing since', value: formatExactTime(passedAt) }] : []),
          { name: 'Examples', value: <span className="wrap-anywhere">{examples}</span> },
        ]}
      />
      {state === 'passed' && <ResolveForm id={id} onDone={onDone} />}
      {resolved && (
        <p className="text-small wrap-anywhere">
          <bdi>{resolved.reason}</bdi>{' '}
          <span className="text-muted">
            {resolved.operator ?? 'CLI'}, {formatExactTime(resolved.at)}
          </span>
        </p>
      )}
    </article>
  ));
}
