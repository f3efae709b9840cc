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
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../../platform/query.ts';
import { ChangeList } from '../change-list.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { formatChanges, type NumberSetting, NumbersForm, useFormReset } from './numbers-form.tsx';
import { findApprovalNote, PendingSettings } from './pending-settings.tsx';
import * as texts from './texts.ts';

export const platformFeesQuery = () => apiQuery(getPlatformFees, {});
export const feeChangesQuery = () => apiInfiniteQuery(listFeeChanges, { query: { group: 'fees', limit: 10 } });

const FEE_SETTINGS: readonly NumberSetting<FeeName>[] = [
  { name: 'generalFee', label: texts.standardFee, hint: texts.standardFeeHint, unit: '%' },
  { name: 'offerFee', label: texts.feeForNewCreators, hint: texts.newCreatorFeeHint, unit: '%' },
  { name: 'offerDays', label: texts.daysForNewCreators, hint: texts.newCreatorDaysHint, unit: 'd' },
  { name: 'clearingDays', label: texts.clearingPeriod, hint: texts.clearingPeriodHint, unit: 'd' },
  {
    name: 'dailySpend',
    label: texts.dailySpendingLimit,
    hint: texts.dailySpendingLimitHint,
    unit: '$',
  },
  { name: 'customerShare', label: texts.fanReferralCommission, hint: texts.fanCommissionHint, unit: '%' },
  { name: 'creatorShare', label: texts.creatorReferralCommission, hint: texts.creatorCommissionHint, unit: '%' },
  { name: 'shareMonths', label: texts.commissionPeriodMonths, hint: texts.commissionPeriodHint, unit: 'm' },
  { name: 'moveMinimum', label: texts.minimumTransferToBalance, hint: texts.fromReferralEarnings, unit: '$' },
  { name: 'moveFee', label: texts.transferFee, hint: texts.transferFeeHint, unit: '%' },
];

export function FeesForm() {
  const current = useApi(getPlatformFees, {});
  const { formKey, resetHandlers } = useFormReset();
  const save = useAdminAction(updatePlatformFees, {
    ...resetHandlers,
    invalidates: [getPlatformFees, listSettingApprovals, listCreatorFees, listFeeChanges, listAuditEntries],
    successMessage: () => texts.feesSaved,
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

const formatFee = (value: unknown) => (typeof value === 'number' ? `${value}%` : texts.theStandardFee);

function formatCustomFee(details: AuditEntry['details'], name: 'Before' | ''): string {
  const [fee, offer] = [details[`ownFee${name}`], details[`ownOffer${name}`]];
  const [first, last] = [details[`offerFirstDay${name}`], details[`offerLastDay${name}`]];
  if (typeof offer !== 'number') return formatFee(fee);
  const values = { fee: formatFee(fee), offer, last: String(last) };
  return first
    ? formatText(texts.customFeeWithFutureOffer, { ...values, first: String(first) })
    : formatText(texts.customFeeWithOffer, values);
}

function formatEntry({ details }: AuditEntry): string[] {
  const { creator } = details;
  return [
    ...(typeof creator === 'string'
      ? [
          formatText(texts.creatorFeeChange, {
            creator,
            before: formatCustomFee(details, 'Before'),
            after: formatCustomFee(details, ''),
          }),
        ]
      : []),
    ...formatChanges(FEE_SETTINGS, details),
  ];
}

export function FeesHistory() {
  const query = useInfiniteQuery(feeChangesQuery());
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <ChangeList
      label={texts.feeChangeHistory}
      entries={entries}
      formatEntry={formatEntry}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
