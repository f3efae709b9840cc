import { type AuditEntry, listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import { listFeeChanges } from '@stagedoor/contract/admin/fees.ts';
import {
  findSubscriptionSettingsProblem,
  getSubscriptionSettings,
  type SubscriptionSettingName,
  subscriptionSettings,
  updateSubscriptionSettings,
} from '@stagedoor/contract/admin/subscription-settings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { SUBSCRIPTION_BOUNDS } from '@stagedoor/contract/shared/limits.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../../platform/query.ts';
import { ChangeList } from '../change-list.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { formatChanges, type NumberSetting, NumbersForm, useFormReset } from './numbers-form.tsx';
import * as texts from './texts.ts';

export const subscriptionSettingsQuery = () => apiQuery(getSubscriptionSettings, {});
export const subscriptionSettingsChangesQuery = () =>
  apiInfiniteQuery(listFeeChanges, { query: { group: 'subscriptions', limit: 10 } });

const { trialDays, graceHours, refundHours } = SUBSCRIPTION_BOUNDS;
const SETTINGS: readonly NumberSetting<SubscriptionSettingName>[] = [
  {
    name: 'trialDaysMax',
    label: texts.longestTrial,
    hint: formatText(texts.longestTrialHint, { max: trialDays }),
    unit: 'd',
  },
  {
    name: 'refundHours',
    label: texts.refundPeriod,
    hint: formatText(texts.refundPeriodHint, { max: refundHours }),
    unit: 'h',
  },
  { name: 'firstRetryHours', label: texts.firstRetry, hint: texts.retryHint, unit: 'h' },
  { name: 'secondRetryHours', label: texts.secondRetry, hint: texts.retryHint, unit: 'h' },
  { name: 'thirdRetryHours', label: texts.thirdRetry, hint: texts.retryHint, unit: 'h' },
  { name: 'graceHours', label: texts.gracePeriod, hint: formatText(texts.graceHint, { max: graceHours }), unit: 'h' },
];

export function SubscriptionSettingsForm() {
  const current = useApi(getSubscriptionSettings, {});
  const { formKey, resetHandlers } = useFormReset();
  const save = useAdminAction(updateSubscriptionSettings, {
    ...resetHandlers,
    invalidates: [getSubscriptionSettings, listFeeChanges, listAuditEntries],
    successMessage: () => texts.subscriptionSettingsSaved,
  });
  return (
    <NumbersForm
      key={formKey}
      settings={SETTINGS}
      rules={subscriptionSettings.shape}
      current={current}
      isAllowed={save.isAllowed}
      busy={save.isPending}
      error={save.error}
      findProblem={findSubscriptionSettingsProblem}
      onSave={(body) => save.send({ body })}
    />
  );
}

const formatEntry = ({ details }: AuditEntry) => formatChanges(SETTINGS, details);

export function SubscriptionSettingsHistory() {
  const query = useInfiniteQuery(subscriptionSettingsChangesQuery());
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <ChangeList
      label={texts.subscriptionSettingsHistory}
      entries={entries}
      formatEntry={formatEntry}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
