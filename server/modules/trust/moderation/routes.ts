import * as adminCases from '@stagedoor/contract/admin/cases.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import * as contract from '@stagedoor/contract/trust/moderation.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { REVIEW_ASSET_TYPE, registerFileGrant, registerMediaGrant } from '../../content/media/index.ts';
import { registerApprovalHandler } from '../../identity/approvals/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { findAnyFile, parseFileId } from '../../messaging/chat/index.ts';
import { viewCaseContent } from './admin/content.ts';
import { decideAndView, dismissMany, reverseDecision } from './admin/decide.ts';
import { restorePictures, restorePicturesJob } from './admin/effects.ts';
import { canLoadEvidence } from './admin/evidence-access.ts';
import { countInboxCases, getInboxPage } from './admin/inbox.ts';
import { handleLaterCopy } from './admin/later-duplicates.ts';
import { openCasePicture } from './admin/pictures.ts';
import { createRefundApproval } from './admin/refund-approvals.ts';
import { reopenMany } from './admin/reopen.ts';
import { getCaseView } from './admin/view.ts';
import * as workflow from './admin/workflow.ts';
import { createAppeal, getOwnDecisions } from './appeals.ts';
import { purgeExpiredEvidence } from './pictures.ts';
import { registerCasePrivacy } from './privacy-hooks.ts';
import { openSnapshotPicture } from './profile-snapshots.ts';
import { createReport } from './report.ts';
import { appealDismissal, getOwnReports } from './report-appeals.ts';

function bindUserRoutes({ bind, ctx }: ModuleHost): void {
  bind(contract.submitReport, ({ actor, body }) => createReport(ctx, actor, body));
  bind(contract.listOwnDecisions, ({ actor }) => getOwnDecisions(ctx, actor));
  bind(contract.appealDecision, ({ actor, params, body }) => createAppeal(ctx, actor, params.id, body.message));
  bind(contract.listOwnReports, ({ actor }) => getOwnReports(ctx, actor));
  bind(contract.appealReport, ({ actor, params, body }) => appealDismissal(ctx, actor, params.id, body.message));
}

function bindAdminRoutes({ bind, ctx }: ModuleHost): void {
  bind(adminCases.listCases, ({ actor, query }) => getInboxPage(ctx, actor, query));
  bind(adminCases.countCases, ({ actor }) => countInboxCases(ctx, actor));
  bind(adminCases.getCase, ({ actor, params }) => getCaseView(ctx, actor, params.id));
  bind(adminCases.getCaseContent, ({ actor, params }) => viewCaseContent(ctx, actor, params.id));
  bind(adminCases.getCaseProfilePicture, async ({ actor, params }) => {
    if (!(await canLoadEvidence(ctx, actor, params.profileId))) throw new AppError('NOT_FOUND');
    return openSnapshotPicture(ctx, params);
  });
  bind(adminCases.getCasePicture, async ({ actor, params }) => {
    const picture = await openCasePicture(ctx, actor, params.id, params.pictureId);
    const auditEntry = { operatorId: actor.userId, action: 'case.view', subjectKind: 'case', subjectId: params.id };
    await ctx.db.transaction((tx) => logAction(ctx, tx, { ...auditEntry, details: { picture: params.pictureId } }));
    return picture;
  });
  bind(adminCases.assignCase, ({ actor, params, body }) => workflow.assignCase(ctx, actor, params.id, body.isMine));
  bind(adminCases.routeCase, ({ actor, params, body }) => workflow.changeQueue(ctx, actor, params.id, body));
  bind(adminCases.addCaseNote, ({ actor, params, body }) => workflow.addNote(ctx, actor, params.id, body.text));
  bind(adminCases.replyToCase, ({ actor, params, body }) => workflow.replyToWriter(ctx, actor, params.id, body));
  bind(adminCases.decideCase, ({ actor, params, body }) => decideAndView(ctx, actor, params.id, body));
  bind(adminCases.undoDecision, ({ actor, params, body }) => reverseDecision(ctx, actor, params.id, body));
  bind(adminCases.dismissCases, ({ actor, body }) => dismissMany(ctx, actor, body));
  bind(adminCases.reopenCases, ({ actor, body }) => reopenMany(ctx, actor, body));
}

export function register(host: ModuleHost): void {
  const { ctx } = host;
  registerMediaGrant(ctx, REVIEW_ASSET_TYPE, (viewer, mediaId) => canLoadEvidence(ctx, viewer, mediaId), {
    mustRevalidate: true,
  });
  registerFileGrant(ctx, REVIEW_ASSET_TYPE, async (viewer, key) => {
    const id = parseFileId(key);
    return id !== undefined && (await canLoadEvidence(ctx, viewer, id))
      ? (await findAnyFile(ctx.db, id))?.file
      : undefined;
  });
  bindUserRoutes(host);
  bindAdminRoutes(host);
  registerCasePrivacy(ctx);
  const jobOptions = { queue: 'quick', subject: ({ ownerId }: { ownerId: string }) => `copies:${ownerId}` } as const;
  ctx.events.addJobHandler('media.copyTakenDown', 'moderation.handleLaterCopy', jobOptions, ({ payload }) =>
    handleLaterCopy(ctx, payload),
  );
  registerApprovalHandler(ctx, 'refund', createRefundApproval(ctx));
  ctx.jobs.define(restorePicturesJob, (payload) => restorePictures(ctx, payload));
  ctx.jobs.schedule('moderation.purgeExpired', '47 3 * * *', () => purgeExpiredEvidence(ctx));
}
