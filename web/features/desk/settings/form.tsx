import { type AuditEntry, listAudit } from '@stagedoor/contract/audit.ts';
import { listFeeChanges } from '@stagedoor/contract/fees-desk.ts';
import { getPayoutSettings, payoutSettings, setPayoutSettings } from '@stagedoor/contract/payout-desk.ts';
import { listWantedSettings } from '@stagedoor/contract/wanted-settings.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../kernel/query.ts';
import { useDeskAct } from '../acts.ts';
import { Changes } from '../changes.tsx';
import { changeWords, NumbersForm, type Setting, useAnew } from './draft.tsx';
import { WantedSettings, weakerNote } from './wanted.tsx';

export const settingsQuery = () => apiQuery(getPayoutSettings, {});
export const changesQuery = () => apiInfiniteQuery(listFeeChanges, { query: { of: 'payouts', limit: 10 } });

const RULES = payoutSettings.shape;
type Name = keyof typeof RULES;

const SETTINGS: readonly Setting<Name>[] = [
  { name: 'minimum', label: 'Minimum payout', hint: 'To banks and PayPal', unit: '$' },
  { name: 'cryptoMinimum', label: 'Minimum crypto payout', hint: 'Crypto transfers cost more', unit: '$' },
  { name: 'referralsMinimum', label: 'Minimum referral payout', hint: 'The higher minimum applies', unit: '$' },
  { name: 'referralsFeePercent', label: 'Referral payout fee', hint: 'Percent of the withdrawal, 0 to 50', unit: '%' },
  {
    name: 'coolingHours',
    label: 'Cooling period',
    hint: 'Hours before a new method can be paid, 0 to 720',
    unit: 'h',
  },
  {
    name: 'secondApprover',
    label: 'Second approval above',
    hint: 'Payouts to one user approved by one operator within 24 hours, and an operator’s refunds and write-offs',
    unit: '$',
  },
];

/** Payouts requested before a change keep their terms. */
export function SettingsForm() {
  const current = useApi(getPayoutSettings, {});
  const { round, anew } = useAnew();
  const save = useDeskAct(setPayoutSettings, {
    ...anew,
    forget: [getPayoutSettings, listWantedSettings, listFeeChanges, listAudit],
    done: () => 'Saved. The current settings apply to new requests.',
  });
  return (
    <div className="grid gap-6">
      <WantedSettings settings={SETTINGS} />
      <NumbersForm
        key={round}
        settings={SETTINGS}
        rules={RULES}
        current={current}
        may={save.may}
        busy={save.isPending}
        error={save.error}
        note={(from, to) => weakerNote(from, to)}
        onSave={(body) => save.send({ body })}
      />
    </div>
  );
}

const wordsOf = ({ facts }: AuditEntry) => changeWords(SETTINGS, facts);

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
