import * as contract from '@stagedoor/contract/goals.ts';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { registerArchivePart } from '../archive/index.ts';
import { registerClosing } from '../closing/index.ts';
import { guardTips } from '../wallet/index.ts';
import * as service from './service.ts';
import * as store from './store.ts';

const ARCHIVE: Statement = {
  name: 'goals-archive',
  text: `select title, target_cents / 100.0 as "target", started_at as "startedAt", ends_at as "endsAt", closed_at as "takenOffAt"
    from tip_goals where creator_id = $1 order by id`,
};

function registerParts(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'goals',
    title: 'Tip goals',
    lead: 'What you gathered tips for.',
    entries: async function* ({ db }, { id }) {
      yield* await db.run<{ title: string }>(ARCHIVE, [id]);
    },
  });
  registerClosing(ctx, 'goals', {
    erase: async ({ db, clock }, { userId }) => {
      await db.transaction(async (tx) => {
        for (const goalId of await store.erase(tx, userId, clock.now()))
          await tx.emit('goal.changed', { creatorId: userId, goalId });
      });
    },
  });
}

const ofCreator = ({ creatorId }: { creatorId: string }) => `goal:${creatorId}`;

export function register({ ctx, bind }: Server): void {
  registerParts(ctx);
  guardTips(ctx, 'profile', async (_fanId, creatorId, { goalId }) => {
    if (goalId !== undefined) await service.requireTowards(ctx, creatorId, goalId);
  });
  bind(contract.getGoal, async ({ actor, params }) => ({ goal: await service.viewGoal(ctx, actor, params.creatorId) }));
  bind(contract.setGoal, async ({ actor, body }) => ({ goal: await service.beginGoal(ctx, actor, body) }));
  bind(contract.endGoal, async ({ actor, params }) => ({ goal: await service.endGoal(ctx, actor, params.id) }));

  ctx.events.tell('goal.changed', 'goals.tell', ofCreator, ({ payload }) => service.tellGoal(ctx, payload.creatorId));
  // A tip on a post has a subject too, but another type.
  ctx.events.tell('sale.made', 'goals.tell', ofCreator, async ({ payload: { creatorId, tipType, subjectId } }) => {
    if (tipType === 'profile' && subjectId !== null) await service.tellGoal(ctx, creatorId);
  });
  ctx.events.tell('sale.refunded', 'goals.tell', ofCreator, async ({ payload: { creatorId, kind, subjectId } }) => {
    if (kind === 'tip' && subjectId !== null) await service.tellGoal(ctx, creatorId);
  });
}
