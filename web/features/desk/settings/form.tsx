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
    hint: 'Of payouts that one lets pass for one person within 24 hours, and of refunds and debts that one lets go of',
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
    done: () => 'Saved. What is in force holds for what is requested from now on.',
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
