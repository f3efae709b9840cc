import * as adminCannedResponses from '@stagedoor/contract/admin/canned-responses.ts';
import * as adminCases from '@stagedoor/contract/admin/cases.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import * as contract from '@stagedoor/contract/trust/cases.ts';
import * as copyright from '@stagedoor/contract/trust/copyright.ts';
import { getCallerNetwork } from '../../../platform/http/http.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import {
  REVIEW_ASSET_TYPE,
  readPictureForm,
  registerFileGrant,
  registerMediaGrant,
} from '../../content/media/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { registerApprovalHandler } from '../../identity/staff/index.ts';
import { findAnyFile, parseFileId } from '../../messaging/chat/index.ts';
import { viewCaseContent } from './admin/content.ts';
import { decideAndView, dismissMany, restoreAfterDeadline, reverseDecision } from './admin/decide.ts';
import { restorePictures, restorePicturesJob } from './admin/effects.ts';
import { canLoadEvidence } from './admin/evidence-access.ts';
import { countInboxCases, getInboxPage } from './admin/inbox.ts';
import { handleLaterCopy } from './admin/later-duplicates.ts';
import { openCasePicture } from './admin/pictures.ts';
import { createRefundApproval } from './admin/refund-approvals.ts';
import { reopenMany } from './admin/reopen.ts';
import { getCaseView } from './admin/view.ts';
import * as work from './admin/workflow.ts';
import { createAppeal, getOwnDecisions } from './appeals.ts';
import { storeComplaint, submitContactMessage } from './contact.ts';
import { acceptCounterNotice, processDueCounterNotices } from './copyright/counter-notice.ts';
import { acceptCounterNoticeByLink, viewCounterNoticeLink } from './copyright/link.ts';
import { acceptNotice } from './copyright/notice.ts';
import { openOwnPicture, purgeExpiredEvidence, storeBlockedUserPicture, storeCasePicture } from './pictures.ts';
import { registerCasePrivacy } from './privacy-hooks.ts';
import { openSnapshotPicture } from './profile-snapshots.ts';
import { createReport } from './report.ts';
import { appealDismissal, getOwnReports } from './report-appeals.ts';
import { addReply, getStatus } from './status.ts';
import * as tickets from './tickets.ts';

function bindUserRoutes({ bind, ctx }: ModuleHost): void {
  bind(contract.submitReport, ({ actor, body }) => createReport(ctx, actor, body));
  bind(contract.contactAdmin, ({ actor, body, request }) =>
    submitContactMessage(ctx, actor, body, getCallerNetwork(request)),
  );
  bind(contract.addContactPicture, async ({ request }) =>
    storeBlockedUserPicture(ctx, await readPictureForm(ctx, request)),
  );
  bind(contract.submitComplaint, ({ actor, body, request }) =>
    storeComplaint(ctx, actor, body, getCallerNetwork(request)),
  );
  bind(copyright.submitCopyrightNotice, ({ actor, body, request }) =>
    acceptNotice(ctx, actor, body, getCallerNetwork(request)),
  );
  bind(contract.getComplaintStatus, ({ body, request }) => getStatus(ctx, body, getCallerNetwork(request)));
  bind(contract.replyToComplaint, ({ body, request }) => addReply(ctx, body, getCallerNetwork(request)));

  bind(contract.listTickets, ({ actor, query }) => tickets.getTicketPage(ctx, actor, query));
  bind(contract.createTicket, ({ actor, body, operationId }) => tickets.submitTicket(ctx, actor, body, operationId));
  bind(contract.getTicket, ({ actor, params }) => tickets.getTicketView(ctx, actor, params.id));
  bind(contract.replyToTicket, ({ actor, params, body }) => tickets.addTicketMessage(ctx, actor, params.id, body));
  bind(contract.closeTicket, ({ actor, params }) => tickets.closeOwnTicket(ctx, actor, params.id));
  bind(contract.addTicketPicture, async ({ actor, request }) =>
    storeCasePicture(ctx, actor.userId, (await readPictureForm(ctx, request)).file),
  );
  bind(contract.getTicketPicture, ({ actor, params }) => openOwnPicture(ctx, actor, params.id));

  bind(contract.listOwnDecisions, ({ actor }) => getOwnDecisions(ctx, actor));
  bind(contract.appealDecision, ({ actor, params, body }) => createAppeal(ctx, actor, params.id, body.message));
  bind(contract.listOwnReports, ({ actor }) => getOwnReports(ctx, actor));
  bind(contract.appealReport, ({ actor, params, body }) => appealDismissal(ctx, actor, params.id, body.message));
  bind(copyright.getCounterNoticeLink, ({ query }) => viewCounterNoticeLink(ctx, query.token));
  bind(copyright.submitCounterNoticeByLink, ({ body }) => acceptCounterNoticeByLink(ctx, body));
  bind(copyright.submitCounterNotice, ({ actor, params, body }) => acceptCounterNotice(ctx, actor, params.id, body));
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
  bind(adminCases.assignCase, ({ actor, params, body }) => work.assignCase(ctx, actor, params.id, body.isMine));
  bind(adminCases.routeCase, ({ actor, params, body }) => work.changeQueue(ctx, actor, params.id, body));
  bind(adminCases.addCaseNote, ({ actor, params, body }) => work.addNote(ctx, actor, params.id, body.text));
  bind(adminCases.replyToCase, ({ actor, params, body }) => work.replyToWriter(ctx, actor, params.id, body));
  bind(adminCases.decideCase, ({ actor, params, body }) => decideAndView(ctx, actor, params.id, body));
  bind(adminCases.undoDecision, ({ actor, params, body }) => reverseDecision(ctx, actor, params.id, body));
  bind(adminCases.dismissCases, ({ actor, body }) => dismissMany(ctx, actor, body));
  bind(adminCases.reopenCases, ({ actor, body }) => reopenMany(ctx, actor, body));
  bind(adminCannedResponses.listCannedResponses, () => work.getCannedResponses(ctx));
  bind(adminCannedResponses.saveCannedResponse, ({ actor, body }) => work.storeCannedResponse(ctx, actor, body));
  bind(adminCannedResponses.deleteCannedResponse, ({ actor, params }) =>
    work.removeCannedResponse(ctx, actor, params.id),
  );
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
  ctx.events.addJobHandler('media.copyTakenDown', 'cases.handleLaterCopy', jobOptions, ({ payload }) =>
    handleLaterCopy(ctx, payload),
  );
  registerApprovalHandler(ctx, 'refund', createRefundApproval(ctx));
  ctx.jobs.define(restorePicturesJob, (payload) => restorePictures(ctx, payload));
  ctx.jobs.schedule('cases.processCounterNotices', '*/10 * * * *', () =>
    processDueCounterNotices(ctx, (id) => restoreAfterDeadline(ctx, id)),
  );
  ctx.jobs.schedule('cases.purgeExpired', '47 3 * * *', () => purgeExpiredEvidence(ctx));
}
