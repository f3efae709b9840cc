import * as contract from '@stagedoor/contract/admin/staff.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { getStepUpExpiry } from '../../../platform/security/operators.ts';
import './events.ts';
import { mailRoleActivation, mailRoleChange } from './mails.ts';
import { manifest } from './manifest.ts';
import {
  addStaffMember,
  changeRoles,
  endStaffSessions,
  listStaffAudit,
  listStaffMembers,
  sendStaffCode,
} from './staff.ts';
import { stepUp } from './step-up.ts';

export { countStaffChanges, hasRecentRoleRemoval, listNewOperators } from './role-changes.ts';

export const featureModule = {
  ...manifest,
  register: ({ bind, ctx }: ModuleHost): void => {
    bind(contract.getOperatorAccess, ({ actor }) => ({
      roles: [...(actor.roles ?? [])],
      stepUpExpiresAt: getStepUpExpiry(actor, ctx).toISOString(),
    }));
    bind(contract.stepUp, ({ actor, body }) => stepUp(ctx, actor, body));
    bind(contract.listStaff, () => listStaffMembers(ctx));
    bind(contract.listStaffChanges, ({ query }) => listStaffAudit(ctx, query));
    bind(contract.inviteStaffMember, ({ actor, body }) => addStaffMember(ctx, actor.userId, body));
    bind(contract.sendStaffCode, ({ actor, params }) => sendStaffCode(ctx, actor.userId, params.id));
    bind(contract.updateStaffRoles, ({ actor, params, body }) => changeRoles(ctx, actor.userId, params.id, body));
    bind(contract.endStaffSessions, ({ actor, params }) => endStaffSessions(ctx, actor.userId, params.id));
    ctx.events.addJobHandler(
      'operators.changed',
      'staff.mail',
      { queue: 'quick', subject: ({ userId }) => `operator:${userId}` },
      ({ payload }) => mailRoleChange(ctx, payload),
    );
    ctx.events.addJobHandler(
      'account.secured',
      'staff.mailActivation',
      { queue: 'quick', subject: ({ userId }) => `operator:${userId}` },
      ({ payload: { userId, change } }) =>
        change === 'twoFactorOn' ? mailRoleActivation(ctx, userId) : Promise.resolve(),
    );
  },
};
