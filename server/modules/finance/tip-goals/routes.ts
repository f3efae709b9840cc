import * as contract from '@stagedoor/contract/finance/tip-goals.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { registerExportPart } from '../../identity/data-export/index.ts';
import { registerTipGuard } from '../wallet/index.ts';
import * as service from './service.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const LIST_FOR_EXPORT: SqlStatement = {
  name: 'tip-goals-export',
  text: `select title, target_cents / 100.0 as "target", started_at as "startedAt", ends_at as "endsAt", closed_at as "removedAt"
    from tip_goals where creator_id = $1 order by id`,
};

function registerPrivacyHooks(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'goals',
    title: texts.tipGoals,
    description: texts.tipGoalsExportDescription,
    entries: async function* ({ db }, { id }) {
      yield* await db.run<{ title: string }>(LIST_FOR_EXPORT, [id]);
    },
  });
  registerDeletionStep(ctx, 'tip-goals', {
    erase: async ({ db, clock }, { userId }) => {
      await db.transaction(async (tx) => {
        for (const goalId of await store.eraseGoals(tx, userId, clock.now()))
          await tx.emit('goal.changed', { creatorId: userId, goalId });
      });
    },
  });
}

const toGoalKey = ({ creatorId }: { creatorId: string }) => `goal:${creatorId}`;

export function register({ ctx, bind }: ModuleHost): void {
  registerPrivacyHooks(ctx);
  registerTipGuard(ctx, 'profile', async (_fanId, creatorId, { goalId }) => {
    if (goalId !== undefined) await service.requireOpenGoal(ctx, creatorId, goalId);
  });
  bind(contract.getTipGoal, async ({ actor, params }) => ({
    goal: await service.viewGoal(ctx, actor, params.creatorId),
  }));
  bind(contract.createTipGoal, async ({ actor, body }) => ({ goal: await service.startGoal(ctx, actor, body) }));
  bind(contract.endTipGoal, async ({ actor, params }) => ({ goal: await service.endGoal(ctx, actor, params.id) }));

  ctx.events.addBroadcastHandler('goal.changed', 'tipGoals.emit', toGoalKey, ({ payload }) =>
    service.emitGoal(ctx, payload.creatorId),
  );
  // A tip on a post has a subject too, but another type.
  ctx.events.addBroadcastHandler(
    'sale.made',
    'tipGoals.emit',
    toGoalKey,
    async ({ payload: { creatorId, tipType, subjectId } }) => {
      if (tipType === 'profile' && subjectId !== null) await service.emitGoal(ctx, creatorId);
    },
  );
  ctx.events.addBroadcastHandler(
    'sale.refunded',
    'tipGoals.emit',
    toGoalKey,
    async ({ payload: { creatorId, kind, subjectId } }) => {
      if (kind === 'tip' && subjectId !== null) await service.emitGoal(ctx, creatorId);
    },
  );
}
