import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { type Alarm, type listAlarms, resolveAlarm, startLedgerCheck } from '@stagedoor/contract/admin/ledger.ts';
import { REASON_LENGTH } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';

type AlarmsPage = ResponseOf<typeof listAlarms>;

const COMPARISON_LABELS = {
  sums: texts.ledgerBalances,
  log: texts.thePublicLog,
  orders: texts.ordersAndLedger,
  processor: texts.theCardProcessorsExport,
} as const;

/** `now` is an ISO timestamp. */
export function LedgerChecks({ page, now, onStarted }: { page: AlarmsPage; now: string; onStarted: () => void }) {
  const start = useApiMutation(startLedgerCheck, { showSuccessMessage: true, onSuccess: onStarted });
  const canCheck = useCanCallRoute(startLedgerCheck);
  const { checks, isChecking, otherDifferences, arePayoutsHalted } = page;
  return (
    <>
      {arePayoutsHalted ? (
        <Banner kind="error">{texts.payoutsStoppedNotice}</Banner>
      ) : (
        <p>
          <StatusDot>{texts.ledgerOkNotice}</StatusDot>
        </p>
      )}
      <section aria-labelledby="checks" className="grid gap-4">
        <SectionHead id="checks" title={texts.checks} />
        <DefinitionList
          items={checks.map(({ comparison, at, isClean }) => ({
            name: COMPARISON_LABELS[comparison],
            value:
              at === null ? texts.notRunYet : `${isClean ? 'OK' : texts.hasDiscrepancies}, ${formatDayTime(at, now)}`,
          }))}
        />
        {otherDifferences.length > 0 && (
          <Rows closed label={texts.otherDiscrepancies}>
            {otherDifferences.map(({ label, count, oldestAt }) => (
              <Row
                key={label}
                href={ADMIN_PATHS.adminDifferences}
                title={label}
                sub={formatText(texts.oldestDiscrepancy, { date: formatDayTime(oldestAt, now) })}
                end={<span className="num">{count.toLocaleString('en-US')}</span>}
              />
            ))}
          </Rows>
        )}
        <div className={canCheck ? 'flex flex-wrap items-center gap-4' : 'hidden'}>
          <Button
            icon="refresh"
            busy={start.isPending || isChecking}
            busyText={texts.checking}
            onClick={() => start.mutate({})}
          >
            {texts.runFullCheck}
          </Button>
          <p className="text-small text-muted">{texts.fullCheckHint}</p>
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
        label={texts.cause}
        hint={texts.causeHint}
        rows={2}
        required
        minLength={REASON_LENGTH.min}
        counter={REASON_LENGTH.max}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {resolve.error && !isStepUpRequired(resolve.error) && <InlineError message={resolve.error.message} />}
      <div>
        <Button type="submit" variant="ink" busy={resolve.isPending} busyText={texts.resolving}>
          {texts.resolve}
        </Button>
      </div>
    </form>
  );
}

const STATE_LABELS: Readonly<Record<Alarm['state'], string>> = {
  active: texts.failingAtLastCheck,
  passed: texts.passingNeedsCause,
  resolved: texts.resolved,
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
          { name: texts.detectedBy, value: COMPARISON_LABELS[comparison] },
          { name: texts.openSince, value: formatExactTime(openedAt) },
          { name: texts.lastSeen, value: formatDayTime(lastSeenAt, now) },
          ...(passedAt ? [{ name: texts.passingSince, value: formatExactTime(passedAt) }] : []),
          { name: texts.examples, value: <span className="wrap-anywhere">{examples}</span> },
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
