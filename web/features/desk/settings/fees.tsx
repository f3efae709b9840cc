import { type AuditEntry, listAudit } from '@stagedoor/contract/audit.ts';
import {
  type FeeName,
  feesProblem,
  houseFees,
  listCreatorFees,
  listFeeChanges,
  readHouseFees,
  setHouseFees,
} from '@stagedoor/contract/fees-desk.ts';
import { listWantedSettings } from '@stagedoor/contract/wanted-settings.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../kernel/query.ts';
import { useDeskAct } from '../acts.ts';
import { Changes } from '../changes.tsx';
import { changeWords, NumbersForm, type Setting, useAnew } from './draft.tsx';
import { WantedSettings, weakerNote } from './wanted.tsx';

export const feesQuery = () => apiQuery(readHouseFees, {});
export const feeChangesQuery = () => apiInfiniteQuery(listFeeChanges, { query: { of: 'fees', limit: 10 } });

const FEES: readonly Setting<FeeName>[] = [
  { name: 'generalFee', label: 'Standard fee', hint: 'Percent of a sale, 0 to 50', unit: '%' },
  { name: 'offerFee', label: 'Fee for newcomers', hint: 'Percent of a sale, not above the standard fee', unit: '%' },
  { name: 'offerDays', label: 'Days for newcomers', hint: 'From sign-up on, 0 to 730', unit: 'd' },
  { name: 'clearingDays', label: 'Clearing period', hint: 'Days until they can be paid out, 0 to 90', unit: 'd' },
  {
    name: 'dailySpend',
    label: 'Daily spending limit',
    hint: 'Maximum per fan, unless they set a lower one',
    unit: '$',
  },
  { name: 'customerShare', label: 'Fan referral commission', hint: 'Percent of what they spend', unit: '%' },
  { name: 'creatorShare', label: 'Creator referral commission', hint: 'Percent of what they sell', unit: '%' },
  { name: 'shareMonths', label: 'Commission period (months)', hint: 'For new referrals, 1 to 120', unit: 'm' },
  { name: 'moveMinimum', label: 'Minimum transfer to balance', hint: 'From referral earnings', unit: '$' },
  { name: 'moveFee', label: 'Transfer fee', hint: 'Percent of the transfer, 0 to 50', unit: '%' },
];

export function FeesForm() {
  const current = useApi(readHouseFees, {});
  const { round, anew } = useAnew();
  const save = useDeskAct(setHouseFees, {
    ...anew,
    forget: [readHouseFees, listWantedSettings, listCreatorFees, listFeeChanges, listAudit],
    done: () => 'Saved. The current fees apply to new sales.',
  });
  return (
    <div className="grid gap-6">
      <WantedSettings settings={FEES} />
      <NumbersForm
        key={round}
        settings={FEES}
        rules={houseFees.shape}
        current={current}
        may={save.may}
        busy={save.isPending}
        error={save.error}
        problemOf={(to) => feesProblem(to)}
        note={(from, to) => weakerNote(from, to)}
        onSave={(body) => save.send({ body })}
      />
    </div>
  );
}

const percent = (value: unknown) => (typeof value === 'number' ? `${value}%` : 'the standard fee');

function ownWords(facts: AuditEntry['facts'], name: 'Before' | ''): string {
  const [fee, offer] = [facts[`ownFee${name}`], facts[`ownOffer${name}`]];
  const [first, last] = [facts[`offerFirstDay${name}`], facts[`offerLastDay${name}`]];
  if (typeof offer !== 'number') return percent(fee);
  return `${percent(fee)}, with an offer of ${offer}%${first ? ` from ${first}` : ''} until ${last}`;
}

function wordsOf({ facts }: AuditEntry): string[] {
  const { creator } = facts;
  return [
    ...(typeof creator === 'string' ? [`@${creator}: ${ownWords(facts, 'Before')} to ${ownWords(facts, '')}`] : []),
    ...changeWords(FEES, facts),
  ];
}

export function FeesHistory() {
  const query = useInfiniteQuery(feeChangesQuery());
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Changes
      label="Fee change history"
      entries={entries}
      wordsOf={wordsOf}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
