import * as contract from '@stagedoor/contract/publishing.ts';
import type { Server } from '../../kernel/bind.ts';
import { guardDeletion } from '../media/index.ts';
import { registerDraftPart } from './archive.ts';
import { registerDraftClosing } from './closing.ts';
import { defineJobs, publishDraft } from './publish.ts';
import * as service from './service.ts';
import { isHeld } from './store.ts';

export function register({ ctx, bind }: Server): void {
  registerDraftClosing(ctx);
  registerDraftPart(ctx);
  defineJobs(ctx);
  guardDeletion(ctx, 'draft', async (db, mediaId) =>
    (await isHeld(db, mediaId)) ? 'This file is used in a draft. Remove it or delete the draft first.' : undefined,
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
    return { info: 'Draft deleted. Its files are still in your media library.' };
  });
  bind(contract.previewDraft, ({ actor, params }) => service.previewDraft(ctx, actor, params.id));
  bind(contract.publishDraft, ({ actor, params, body, operationId }) =>
    publishDraft(ctx, actor, { id: params.id, version: body.version }, operationId),
  );
}
