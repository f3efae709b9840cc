import { decideMoneyAct as decideRoute, listMoneyActs } from '@stagedoor/contract/money-acts.ts';
import * as contract from '@stagedoor/contract/operators.ts';
import type { Server } from '../../kernel/bind.ts';
import { provenUntil } from '../../kernel/operators.ts';
import './events.ts';
import { tellOfRoles } from './mails.ts';
import { manifest } from './manifest.ts';
import { decideMoneyAct, viewMoneyActs } from './money-acts.ts';
import { proveMe } from './proof.ts';
import { changeRoles, endSessions, invite, viewTeam, viewTeamChanges } from './team.ts';

export {
  countMoneyActs,
  endMoneyAct,
  keepMoneyLimit,
  letGo,
  lockMoneyActs,
  type MoneyActRoom,
  registerMoneyAct,
  waitingOf,
} from './money-acts.ts';
export { countTeamChanges, isAlone, newcomers, requireCounts } from './two.ts';
export { countWantedSettings, decideWanted, holdBack, wantedSettings } from './wanted.ts';

export const room = {
  ...manifest,
  register: ({ bind, ctx }: Server): void => {
    bind(contract.readMe, ({ actor }) => ({
      roles: [...(actor.roles ?? [])],
      provenUntil: provenUntil(actor, ctx).toISOString(),
    }));
    bind(contract.proveMe, ({ actor, body }) => proveMe(ctx, actor, body));
    bind(contract.listTeam, () => viewTeam(ctx));
    bind(contract.listTeamChanges, ({ query }) => viewTeamChanges(ctx, query));
    bind(contract.inviteOperator, ({ actor, body }) => invite(ctx, actor.userId, body));
    bind(contract.changeRoles, ({ actor, params, body }) => changeRoles(ctx, actor.userId, params.id, body));
    bind(contract.endOperatorSessions, ({ actor, params }) => endSessions(ctx, actor.userId, params.id));
    bind(listMoneyActs, () => viewMoneyActs(ctx));
    bind(decideRoute, ({ actor, params, body }) => decideMoneyAct(ctx, actor, params.id, body));
    ctx.events.do(
      'operators.changed',
      'operators.mail',
      { lane: 'quick', subject: ({ userId }) => `operator:${userId}` },
      ({ payload }) => tellOfRoles(ctx, payload),
    );
  },
};
