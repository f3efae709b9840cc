import * as contract from '@stagedoor/contract/identity/teams.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerTeamDelegation } from '../../../platform/security/session.ts';
import { setCookies } from '../accounts/index.ts';
import { registerTeamDeletion } from './account-deletion.ts';
import { registerTeamExport } from './data-export.ts';
import { createTeamDelegation, getOwnTeams, leaveTeam, respondToInvitation, setDelegation } from './membership.ts';
import * as service from './service.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

export function register({ ctx, bind }: ModuleHost): void {
  registerTeamDelegation(ctx, createTeamDelegation(ctx));
  registerTeamDeletion(ctx);
  registerTeamExport(ctx);
  ctx.jobs.schedule('teams.purge', '29 3 * * *', () => store.purgeExpiredInvitations(ctx.db, ctx.clock.now()));
  const jobOptions = { queue: 'quick', subject: ({ fanId }: { fanId: string }) => `team:${fanId}` } as const;
  ctx.events.addJobHandler('chat.blocked', 'team.end', jobOptions, async ({ payload: { creatorId, fanId } }) => {
    await service.endMembership(ctx, creatorId, fanId);
  });

  bind(contract.getTeam, ({ actor }) => service.getTeamView(ctx, actor));
  bind(contract.inviteToTeam, ({ actor, body }) => service.inviteMember(ctx, actor, body.to, body.rights));
  bind(contract.withdrawTeamInvitation, ({ actor, params }) => service.withdrawInvitation(ctx, actor, params.id));
  bind(contract.updateMemberRights, ({ actor, params, body }) =>
    service.updateMemberRights(ctx, actor, params.id, body.rights),
  );
  bind(contract.removeTeamMember, ({ actor, params }) => service.removeMember(ctx, actor, params.id));
  bind(contract.listTeamActions, ({ actor, query }) => service.getActionPage(ctx, actor, query));

  bind(contract.listOwnTeams, ({ actor }) => getOwnTeams(ctx, actor));
  bind(contract.respondToTeamInvitation, ({ actor, params, body }) =>
    respondToInvitation(ctx, actor, params.id, body.isAccepted),
  );
  bind(contract.leaveTeam, async ({ actor, params }) => {
    await leaveTeam(ctx, actor, params.id);
    return { info: texts.teamLeft };
  });
  bind(contract.startDelegation, async ({ actor, body, reply }) => {
    setCookies(ctx, reply, await setDelegation(ctx, actor, body.creatorId));
    return {
      info: body.creatorId ? texts.actingForCreator : texts.backInOwnAccount,
      type: actor.type,
    };
  });
}
