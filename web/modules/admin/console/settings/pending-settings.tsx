/**
 * Requested changes that weaken a money safeguard. A second operator must confirm each, and any operator can refuse it.
 */
import { listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import { getPlatformFees, listFeeChanges } from '@stagedoor/contract/admin/fees.ts';
import { getPayoutSettings } from '@stagedoor/contract/admin/payouts.ts';
import {
  decideSettingApproval,
  GUARDED_SETTINGS,
  isWeakerValue,
  listSettingApprovals,
  type SettingApproval,
} from '@stagedoor/contract/admin/setting-approvals.ts';
import { apiQuery, useApi } from '../../../../platform/query.ts';
import { useViewer } from '../../../../platform/session.ts';
import { PendingApprovalPanel } from '../pending-approval-panel.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { formatSetting, type NumberSetting } from './numbers-form.tsx';

export const settingApprovalsQuery = () => apiQuery(listSettingApprovals, {});

export function findApprovalNote(
  from: Readonly<Record<string, number>>,
  to: Readonly<Record<string, number>>,
): string | undefined {
  const hasWeaker = GUARDED_SETTINGS.some((name) => isWeakerValue(name, from[name] ?? 0, to[name] ?? from[name] ?? 0));
  return hasWeaker ? 'Higher limits and shorter waits need a second approval.' : undefined;
}

function PendingSetting({
  approval,
  setting: { label, unit },
}: {
  approval: SettingApproval;
  setting: NumberSetting<string>;
}) {
  const { name, from, to, operator } = approval;
  const isOwn = operator === useViewer()?.username;
  const decide = useAdminAction(decideSettingApproval, {
    invalidates: [listSettingApprovals, getPayoutSettings, getPlatformFees, listFeeChanges, listAuditEntries],
    successMessage: () => 'Saved. The form shows the current values.',
  });
  return (
    <PendingApprovalPanel
      name={formatSetting(unit, to)}
      summary={`${label}: ${isOwn ? 'you requested' : `@${operator} requested`} ${formatSetting(unit, to)} instead of ${formatSetting(unit, from)}.`}
      request={approval}
      note={
        isOwn
          ? 'Another operator needs to confirm this. Until then nothing changes.'
          : 'Takes effect once a second operator confirms it.'
      }
      isOwn={isOwn}
      confirmText={`Confirm ${formatSetting(unit, to)}`}
      busyText="Saving…"
      action={decide}
      onDecide={(decision, reason) => decide.send({ params: { name }, body: { decision, to, reason } })}
    />
  );
}

export function PendingSettings({ settings }: { settings: readonly NumberSetting<string>[] }) {
  const { data } = useApi(listSettingApprovals, {});
  return data.map((approval) => {
    const setting = settings.find(({ name }) => name === approval.name);
    return setting && <PendingSetting key={`${approval.name} ${approval.at}`} approval={approval} setting={setting} />;
  });
}
