/** What operators set for payouts, a higher limit that waits for a second of them, and who changed what of it. */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { type AuditEntry, listAudit } from '@stagedoor/contract/audit.ts';
import { listFeeChanges } from '@stagedoor/contract/fees-desk.ts';
import {
  decidePayoutLimit,
  getPayoutSettings,
  payoutSettings,
  setPayoutSettings,
} from '@stagedoor/contract/payout-desk.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatExact } from '../../../kernel/dates.ts';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../kernel/query.ts';
import { useViewer } from '../../../kernel/session.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { useDeskAct } from '../acts.ts';
import { Changes } from '../changes.tsx';
import { changesIn, isGround, NumbersForm, type Setting, useAnew, WHY } from './draft.tsx';

export const settingsQuery = () => apiQuery(getPayoutSettings, {});
export const changesQuery = () => apiInfiniteQuery(listFeeChanges, { query: { of: 'payouts', limit: 10 } });

const RULES = payoutSettings.shape;
type Name = keyof typeof RULES;

const SETTINGS: readonly Setting<Name>[] = [
  { name: 'minimum', label: 'Least payout', hint: 'To banks and PayPal', unit: '$' },
  { name: 'cryptoMinimum', label: 'Least payout in coins', hint: 'Sending them costs more', unit: '$' },
  { name: 'referralsMinimum', label: 'Least payout of referrals', hint: 'Whichever is more counts', unit: '$' },
  { name: 'referralsFeePercent', label: 'Fee on referrals', hint: 'Percent of what is withdrawn, 0 to 50', unit: '%' },
  {
    name: 'coolingHours',
    label: 'Cooling period',
    hint: 'Hours until money goes to a new method, 0 to 720',
    unit: 'h',
  },
  {
    name: 'secondApprover',
    label: 'Second approver above',
    hint: 'Of what one lets pass for one person within 24 hours',
    unit: '$',
  },
];

/** A limit that somebody wants to raise: another operator confirms it, anybody refuses it. */
function HigherLimit() {
  const { raise, secondApprover } = useApi(getPayoutSettings, {});
  const viewerName = useViewer()?.username;
  const [ground, setGround] = useState('');
  const decide = useDeskAct(decidePayoutLimit, {
    forget: [getPayoutSettings, listFeeChanges, listAudit],
    done: (answer) => `Two operators approve what is above ${formatUsd(answer.secondApprover)}.`,
    onDone: () => setGround(''),
  });
  if (raise === null) return null;
  const { to, operator, at } = raise;
  const isOwn = operator === viewerName;
  const send = (decision: 'confirm' | 'refuse') => decide.send({ body: { decision, to, ground } });
  return (
    <section aria-label="A higher limit" className="grid gap-4 rounded-lg border border-line p-4 sm:p-5">
      <p className="font-semibold">
        {isOwn ? 'You want' : `@${operator} wants`} a second approver above {formatUsd(to)} instead of{' '}
        {formatUsd(secondApprover)}.
      </p>
      <p className="text-small text-muted wrap-anywhere">
        “<bdi>{raise.ground}</bdi>” <span className="num">{formatExact(at)}</span>
      </p>
      <p className="text-small">
        {isOwn
          ? 'Another operator confirms it. Until then the limit stays.'
          : 'It holds once a second operator confirms it.'}
      </p>
      {decide.may && (
        <>
          <TextField {...WHY} required value={ground} onChange={(event) => setGround(event.currentTarget.value)} />
          {decide.error !== undefined && <Refusal message={decide.error} />}
          <div className="flex flex-wrap gap-3">
            {!isOwn && (
              <Button
                variant="primary"
                disabled={!isGround(ground)}
                busy={decide.isPending}
                busyText="Saving…"
                onClick={() => send('confirm')}
              >
                Confirm {formatUsd(to)}
              </Button>
            )}
            <Button disabled={!isGround(ground) || decide.isPending} onClick={() => send('refuse')}>
              {isOwn ? 'Take it back' : 'Refuse it'}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

/** Changing them is the form's; what was requested before keeps its terms. */
export function SettingsForm() {
  const { raise: _, ...current } = useApi(getPayoutSettings, {});
  const { round, anew } = useAnew();
  const save = useDeskAct(setPayoutSettings, {
    ...anew,
    forget: [getPayoutSettings, listFeeChanges, listAudit],
    done: ({ raise }) =>
      raise === null
        ? 'Saved. It holds for what is requested from now on.'
        : 'Saved. The higher limit waits until another operator confirms it.',
  });
  return (
    <div className="grid gap-6">
      <HigherLimit />
      <NumbersForm
        key={round}
        settings={SETTINGS}
        rules={RULES}
        current={current}
        may={save.may}
        busy={save.isPending}
        error={save.error}
        note={(from, to) =>
          to.secondApprover > from.secondApprover
            ? 'A higher limit holds once another operator confirms it.'
            : undefined
        }
        onSave={(body) => save.send({ body })}
      />
    </div>
  );
}

const sum = (value: unknown) => (typeof value === 'number' ? formatUsd(value) : '');

/** What an entry changed, and why. */
function wordsOf({ act, facts }: AuditEntry): string[] {
  const { secondApproverWanted: wanted, secondApproverRefused: refused, ground } = facts;
  return [
    ...changesIn(SETTINGS, facts),
    ...(wanted === undefined
      ? []
      : [`Second approver above: ${sum(wanted)} wanted, to be confirmed by another operator`]),
    ...(refused === undefined ? [] : [`Second approver above: ${sum(refused)} refused`]),
    ...(act.endsWith('.confirm') ? ['Confirmed as the second operator'] : []),
    ...(typeof ground === 'string' ? [`“${ground}”`] : []),
  ];
}

export function SettingsHistory() {
  const query = useInfiniteQuery(changesQuery());
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Changes
      entries={entries}
      wordsOf={wordsOf}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
