import * as contract from '@stagedoor/contract/content/drafts.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerDeletionGuard } from '../media/index.ts';
import { listTiers } from '../subscription-tiers/index.ts';
import { registerDraftDeletionStep } from './account-deletion.ts';
import { registerDraftExportPart } from './data-export.ts';
import { registerDraftMediaUses } from './media-uses.ts';
import { definePublishingJobs, publishDraft } from './publish.ts';
import * as service from './service.ts';
import { isInDraft, leaveDeletedTier } from './store.ts';
import * as texts from './texts.ts';

export function register({ ctx, bind }: ModuleHost): void {
  registerDraftDeletionStep(ctx);
  registerDraftExportPart(ctx);
  registerDraftMediaUses(ctx);
  definePublishingJobs(ctx);
  registerDeletionGuard(ctx, 'draft', async (db, mediaId) =>
    (await isInDraft(db, mediaId)) ? texts.fileUsedInDraft : undefined,
  );
  ctx.events.addJobHandler(
    'subscriptionTier.deleted',
    'drafts.leaveTier',
    { queue: 'quick', subject: ({ tierId }) => `tier:${tierId}` },
    async ({ payload }) => {
      const existingIds = (await listTiers(ctx.db, payload.creatorId)).map(({ id }) => id);
      await leaveDeletedTier(ctx.db, payload, existingIds);
    },
  );

  bind(contract.listDrafts, ({ actor, query }) => service.listDrafts(ctx, actor, query));
  bind(contract.getDraft, ({ actor, params }) => service.getDraft(ctx, actor, params.id));
  bind(contract.createDraft, ({ actor, body, operationId }) => service.createDraft(ctx, actor, body, operationId));
  bind(contract.updateDraft, ({ actor, params, body }) => {
    const { version, ...content } = body;
    return service.updateDraft(ctx, actor, { id: params.id, version }, content);
  });
  bind(contract.deleteDraft, async ({ actor, params }) => {
    await service.deleteDraft(ctx, actor, params.id);
    return { info: texts.draftDeleted };
  });
  bind(contract.previewDraft, ({ actor, params }) => service.previewDraft(ctx, actor, params.id));
  bind(contract.publishDraft, ({ actor, params, body, operationId }) =>
    publishDraft(ctx, actor, { id: params.id, version: body.version }, operationId),
  );
}
