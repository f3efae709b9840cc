import { type AuditEntry, listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import {
  type FeeName,
  findFeesProblem,
  getPlatformFees,
  listCreatorFees,
  listFeeChanges,
  platformFees,
  updatePlatformFees,
} from '@stagedoor/contract/admin/fees.ts';
import { listSettingApprovals } from '@stagedoor/contract/admin/setting-approvals.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../../platform/query.ts';
import { ChangeList } from '../change-list.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { formatChanges, type NumberSetting, NumbersForm, useFormReset } from './numbers-form.tsx';
import { findApprovalNote, PendingSettings } from './pending-settings.tsx';

export const platformFeesQuery = () => apiQuery(getPlatformFees, {});
export const feeChangesQuery = () => apiInfiniteQuery(listFeeChanges, { query: { group: 'fees', limit: 10 } });

const FEE_SETTINGS: readonly NumberSetting<FeeName>[] = [
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
  const current = useApi(getPlatformFees, {});
  const { formKey, resetHandlers } = useFormReset();
  const save = useAdminAction(updatePlatformFees, {
    ...resetHandlers,
    invalidates: [getPlatformFees, listSettingApprovals, listCreatorFees, listFeeChanges, listAuditEntries],
    successMessage: () => 'Saved. The current fees apply to new sales.',
  });
  return (
    <div className="grid gap-6">
      <PendingSettings settings={FEE_SETTINGS} />
      <NumbersForm
        key={formKey}
        settings={FEE_SETTINGS}
        rules={platformFees.shape}
        current={current}
        isAllowed={save.isAllowed}
        busy={save.isPending}
        error={save.error}
        findProblem={(to) => findFeesProblem(to)}
        note={(from, to) => findApprovalNote(from, to)}
        onSave={(body) => save.send({ body })}
      />
    </div>
  );
}

const formatFee = (value: unknown) => (typeof value === 'number' ? `${value}%` : 'the standard fee');

function formatCustomFee(details: AuditEntry['details'], name: 'Before' | ''): string {
  const [fee, offer] = [details[`ownFee${name}`], details[`ownOffer${name}`]];
  const [first, last] = [details[`offerFirstDay${name}`], details[`offerLastDay${name}`]];
  if (typeof offer !== 'number') return formatFee(fee);
  return `${formatFee(fee)}, with an offer of ${offer}%${first ? ` from ${first}` : ''} until ${last}`;
}

function formatEntry({ details }: AuditEntry): string[] {
  const { creator } = details;
  return [
    ...(typeof creator === 'string'
      ? [`@${creator}: ${formatCustomFee(details, 'Before')} to ${formatCustomFee(details, '')}`]
      : []),
    ...formatChanges(FEE_SETTINGS, details),
  ];
}

export function FeesHistory() {
  const query = useInfiniteQuery(feeChangesQuery());
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <ChangeList
      label="Fee change history"
      entries={entries}
      formatEntry={formatEntry}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
