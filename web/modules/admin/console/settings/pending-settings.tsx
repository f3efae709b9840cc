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
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { apiQuery, useApi } from '../../../../platform/query.ts';
import { useViewer } from '../../../../platform/session.ts';
import { PendingApprovalPanel } from '../pending-approval-panel.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { formatSetting, type NumberSetting } from './numbers-form.tsx';
import * as texts from './texts.ts';

export const settingApprovalsQuery = () => apiQuery(listSettingApprovals, {});

export function findApprovalNote(
  from: Readonly<Record<string, number>>,
  to: Readonly<Record<string, number>>,
): string | undefined {
  const hasWeaker = GUARDED_SETTINGS.some((name) => isWeakerValue(name, from[name] ?? 0, to[name] ?? from[name] ?? 0));
  return hasWeaker ? texts.secondApprovalRule : undefined;
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
    successMessage: () => texts.currentValuesShown,
  });
  return (
    <PendingApprovalPanel
      name={formatSetting(unit, to)}
      summary={formatText(texts.pendingChange, {
        label,
        requester: isOwn ? texts.youRequested : formatText(texts.operatorRequested, { operator }),
        newSetting: formatSetting(unit, to),
        currentSetting: formatSetting(unit, from),
      })}
      request={approval}
      note={isOwn ? texts.ownPendingChangeNote : texts.pendingChangeNote}
      isOwn={isOwn}
      confirmText={formatText(texts.confirmSetting, { setting: formatSetting(unit, to) })}
      busyText={texts.saving}
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
