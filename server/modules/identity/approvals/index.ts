import * as approvals from '@stagedoor/contract/admin/approvals.ts';
import * as settingApprovals from '@stagedoor/contract/admin/setting-approvals.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { decideSetting, loadSettingApprovals } from './guarded-settings.ts';
import { manifest } from './manifest.ts';
import { decideApproval, loadApprovals } from './money-approvals.ts';

export { needsSecondOperator, requireEstablishedOperator } from './four-eyes.ts';
export {
  countPendingSettings,
  listPendingSettings,
  registerGuardedSetting,
  SETTINGS_CHANGED_MESSAGE,
  type SettingGroup,
  updateSettings,
} from './guarded-settings.ts';
export {
  type ApprovalHandler,
  countPendingApprovals,
  listPendingApprovals,
  lockApprovals,
  refusePendingApproval,
  registerApprovalHandler,
  registerApprovalLimit,
  requireSecondApproval,
} from './money-approvals.ts';

export const featureModule = {
  ...manifest,
  register: ({ bind, ctx }: ModuleHost): void => {
    bind(approvals.listApprovals, () => loadApprovals(ctx));
    bind(approvals.decideApproval, ({ actor, params, body }) => decideApproval(ctx, actor, params.id, body));
    bind(settingApprovals.listSettingApprovals, () => loadSettingApprovals(ctx));
    bind(settingApprovals.decideSettingApproval, ({ actor, params, body }) =>
      decideSetting(ctx, actor, params.name, body),
    );
  },
};
