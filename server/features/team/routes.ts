import * as contract from '@stagedoor/contract/team.ts';
import type { Server } from '../../kernel/bind.ts';
import { setCookies } from '../accounts/index.ts';
import { registerTeamPart } from './archive.ts';
import { registerTeamClosing } from './closing.ts';
import { act, answer, leave, teamOf, viewTeams } from './membership.ts';
import * as service from './service.ts';
import * as store from './store.ts';

export function register({ ctx, bind }: Server): void {
  ctx.sessions.team = teamOf(ctx);
  registerTeamClosing(ctx);
  registerTeamPart(ctx);
  ctx.jobs.schedule('team.purge', '29 3 * * *', () => store.purge(ctx.db, ctx.clock.now()));
  const ofPair = { lane: 'quick', subject: ({ fanId }: { fanId: string }) => `team:${fanId}` } as const;
  ctx.events.do('chat.blocked', 'team.end', ofPair, async ({ payload: { creatorId, fanId } }) => {
    await service.endMembership(ctx, creatorId, fanId);
  });

  bind(contract.getTeam, ({ actor }) => service.viewTeam(ctx, actor));
  bind(contract.inviteToTeam, ({ actor, body }) => service.invite(ctx, actor, body.to, body.rights));
  bind(contract.withdrawInvitation, ({ actor, params }) => service.withdraw(ctx, actor, params.id));
  bind(contract.changeRights, ({ actor, params, body }) => service.changeRights(ctx, actor, params.id, body.rights));
  bind(contract.removeMember, ({ actor, params }) => service.removeMember(ctx, actor, params.id));
  bind(contract.listTeamActs, ({ actor, query }) => service.listActs(ctx, actor, query));

  bind(contract.listTeams, ({ actor }) => viewTeams(ctx, actor));
  bind(contract.answerInvitation, ({ actor, params, body }) => answer(ctx, actor, params.id, body.isAccepted));
  bind(contract.leaveTeam, async ({ actor, params }) => {
    await leave(ctx, actor, params.id);
    return { info: 'You’ve left this team.' };
  });
  bind(contract.actFor, async ({ actor, body, reply }) => {
    setCookies(ctx, reply, await act(ctx, actor, body.creatorId));
    return {
      info: body.creatorId ? 'You’re now acting for them.' : 'You’re back in your own account.',
      type: actor.type,
    };
  });
}
