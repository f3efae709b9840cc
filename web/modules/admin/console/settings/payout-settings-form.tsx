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
import * as texts from './texts.ts';

export const payoutSettingsQuery = () => apiQuery(getPayoutSettings, {});
export const payoutSettingsChangesQuery = () =>
  apiInfiniteQuery(listFeeChanges, { query: { group: 'payouts', limit: 10 } });

const RULES = payoutSettings.shape;
type PayoutSettingName = keyof typeof RULES;

const PAYOUT_SETTINGS: readonly NumberSetting<PayoutSettingName>[] = [
  { name: 'minimum', label: texts.minimumPayout, hint: texts.minimumPayoutHint, unit: '$' },
  { name: 'cryptoMinimum', label: texts.minimumCryptoPayout, hint: texts.cryptoMinimumHint, unit: '$' },
  { name: 'referralsMinimum', label: texts.minimumReferralPayout, hint: texts.referralMinimumHint, unit: '$' },
  { name: 'referralsFeePercent', label: texts.referralPayoutFee, hint: texts.referralPayoutFeeHint, unit: '%' },
  {
    name: 'coolingHours',
    label: texts.coolingPeriod,
    hint: texts.coolingPeriodHint,
    unit: 'h',
  },
  {
    name: 'secondApprover',
    label: texts.secondApprovalAbove,
    hint: texts.secondApprovalHint,
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
    successMessage: () => texts.payoutSettingsSaved,
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
