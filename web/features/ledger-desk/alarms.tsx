import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { type Alarm, checkLedgerNow, type listAlarms, resolveAlarm } from '@stagedoor/contract/ledger-desk.ts';
import { GROUND_LENGTH } from '@stagedoor/contract/processor-desk.ts';
import { type FormEvent, useState } from 'react';
import { formatDayTime, formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { askForProof, isProofAsked, useMay } from '../../kernel/operator.ts';
import { useStake } from '../../kernel/unsaved.ts';
import { Lamp } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/facts.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { Banner } from '../../ui/states.tsx';

type AlarmsPage = ResponseOf<typeof listAlarms>;

const COMPARISON_WORDS = {
  sums: 'Ledger balances',
  log: 'The public log',
  orders: 'Orders and ledger',
  processor: 'The card processor’s export',
} as const;

/** `now` is an ISO timestamp. */
export function Checks({ page, now, onBegun }: { page: AlarmsPage; now: string; onBegun: () => void }) {
  const begin = useApiMutation(checkLedgerNow, { showSuccessMessage: true, onSuccess: onBegun });
  const mayCheck = useMay(checkLedgerNow);
  const { checks, isChecking, others, arePayoutsStopped } = page;
  return (
    <>
      {arePayoutsStopped ? (
        <Banner kind="error">Payouts are stopped until a new check passes and all alerts are resolved.</Banner>
      ) : (
        <p>
          <Lamp>Ledger OK as of the last check. Payouts are running.</Lamp>
        </p>
      )}
      <section aria-labelledby="checks" className="grid gap-4">
        <SectionHead id="checks" title="Checks" />
        <FactList
          facts={checks.map(({ comparison, at, isClean }) => ({
            name: COMPARISON_WORDS[comparison],
            value: at === null ? 'Not run yet' : `${isClean ? 'OK' : 'Discrepancies found'}, ${formatDayTime(at, now)}`,
          }))}
        />
        {others.length > 0 && (
          <Rows closed label="Other discrepancies">
            {others.map(({ words, count, oldestAt }) => (
              <Row
                key={words}
                href={DESK_PATHS.adminDifferences}
                title={words}
                sub={`Oldest: ${formatDayTime(oldestAt, now)}`}
                end={<span className="num">{count.toLocaleString('en-US')}</span>}
              />
            ))}
          </Rows>
        )}
        <div className={mayCheck ? 'flex flex-wrap items-center gap-4' : 'hidden'}>
          <Button
            icon="refresh"
            busy={begin.isPending || isChecking}
            busyText="Checking…"
            onClick={() => begin.mutate({})}
          >
            Run full check
          </Button>
          <p className="text-small text-muted">Checks all balances and the full log. Runs nightly; can take minutes.</p>
        </div>
      </section>
    </>
  );
}

function Resolve({ id, onDone }: { id: Alarm['id']; onDone: () => void }) {
  const [ground, setGround] = useState('');
  const may = useMay(resolveAlarm);
  const act = useApiMutation(resolveAlarm, {
    showErrorMessage: false,
    onSuccess: onDone,
    onError: (error, request) => {
      if (isProofAsked(error)) askForProof(() => act.mutate(request));
    },
  });
  useStake(ground !== '' && !act.isSuccess, act.isPending);
  const send = (event: FormEvent) => {
    event.preventDefault();
    act.mutate({ params: { id }, body: { ground } });
  };
  if (!may) return null;
  return (
    <form className="grid gap-3" onSubmit={send}>
      <TextAreaField
        label="Cause"
        hint="Recorded in the audit log."
        rows={2}
        required
        minLength={GROUND_LENGTH.min}
        counter={GROUND_LENGTH.max}
        value={ground}
        onChange={(event) => setGround(event.currentTarget.value)}
      />
      {act.error && !isProofAsked(act.error) && <Refusal message={act.error.message} />}
      <div>
        <Button type="submit" variant="ink" busy={act.isPending} busyText="Resolving…">
          Resolve
        </Button>
      </div>
    </form>
  );
}

const STATE_WORDS: Readonly<Record<Alarm['state'], string>> = {
  standing: 'Failing as of the last check',
  passed: 'Passing again: add the cause',
  resolved: 'Resolved',
};
const LAMPS = { standing: 'danger', passed: 'away', resolved: 'on' } as const;

export function AlarmCases({ alarms, now, onDone }: { alarms: readonly Alarm[]; now: string; onDone: () => void }) {
  return alarms.map(({ id, state, comparison, check, examples, openedAt, seenAt, passedAt, resolved }) => (
    <article key={id} className="grid gap-3 border-t border-line pt-4" aria-label={check}>
      <h3 className="font-semibold wrap-anywhere first-letter:uppercase">{check}</h3>
      <p className="text-small">
        <Lamp state={LAMPS[state]}>{STATE_WORDS[state]}</Lamp>
      </p>
      <FactList
        facts={[
          { name: 'Found by', value: COMPARISON_WORDS[comparison] },
          { name: 'Since', value: formatExact(openedAt) },
          { name: 'Last seen', value: formatDayTime(seenAt, now) },
          ...(passedAt ? [{ name: 'Passing since', value: formatExact(passedAt) }] : []),
          { name: 'Examples', value: <span className="wrap-anywhere">{examples}</span> },
        ]}
      />
      {state === 'passed' && <Resolve id={id} onDone={onDone} />}
      {resolved && (
        <p className="text-small wrap-anywhere">
          <bdi>{resolved.ground}</bdi>{' '}
          <span className="text-muted">
            {resolved.operator ?? 'CLI'}, {formatExact(resolved.at)}
          </span>
        </p>
      )}
    </article>
  ));
}
