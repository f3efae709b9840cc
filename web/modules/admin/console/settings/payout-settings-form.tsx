import { type AuditEntry, listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import { listFeeChanges } from '@stagedoor/contract/admin/fees.ts';
import { getPayoutSettings, payoutSettings, updatePayoutSettings } from '@stagedoor/contract/admin/payouts.ts';
import { listSettingApprovals } from '@stagedoor/contract/admin/setting-approvals.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../../platform/query.ts';
import { ChangeList } from '../change-list.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { formatChanges, type NumberSetting, NumbersForm, useFormReset } from './numbers-form.tsx';
import { findApprovalNote, PendingSettings } from './pending-settings.tsx';

export const payoutSettingsQuery = () => apiQuery(getPayoutSettings, {});
export const payoutSettingsChangesQuery = () =>
  apiInfiniteQuery(listFeeChanges, { query: { group: 'payouts', limit: 10 } });

const RULES = payoutSettings.shape;
type PayoutSettingName = keyof typeof RULES;

const PAYOUT_SETTINGS: readonly NumberSetting<PayoutSettingName>[] = [
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
export function PayoutSettingsForm() {
  const current = useApi(getPayoutSettings, {});
  const { formKey, resetHandlers } = useFormReset();
  const save = useAdminAction(updatePayoutSettings, {
    ...resetHandlers,
    invalidates: [getPayoutSettings, listSettingApprovals, listFeeChanges, listAuditEntries],
    successMessage: () => 'Saved. The current settings apply to new requests.',
  });
  return (
    <div className="grid gap-6">
      <PendingSettings settings={PAYOUT_SETTINGS} />
      <NumbersForm
        key={formKey}
        settings={PAYOUT_SETTINGS}
        rules={RULES}
        current={current}
        isAllowed={save.isAllowed}
        busy={save.isPending}
        error={save.error}
        note={(from, to) => findApprovalNote(from, to)}
        onSave={(body) => save.send({ body })}
      />
    </div>
  );
}

const formatEntry = ({ details }: AuditEntry) => formatChanges(PAYOUT_SETTINGS, details);

export function PayoutSettingsHistory() {
  const query = useInfiniteQuery(payoutSettingsChangesQuery());
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <ChangeList
      entries={entries}
      formatEntry={formatEntry}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
