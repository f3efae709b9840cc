import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import * as contract from '@stagedoor/contract/cases.ts';
import * as desk from '@stagedoor/contract/cases-desk.ts';
import * as copyright from '@stagedoor/contract/copyright.ts';
import * as answers from '@stagedoor/contract/saved-answers.ts';
import type { Server } from '../../kernel/bind.ts';
import { callerNetwork } from '../../kernel/http.ts';
import { noteAct } from '../audit/index.ts';
import { fileIdOf, findAnyFile } from '../chat/index.ts';
import { DESK_TABLE, grantFiles, grantMedia, readPictureForm } from '../media/index.ts';
import { registerMoneyAct } from '../operators/index.ts';
import { appealAgainst, ownDecisions } from './appeals.ts';
import { complainOf, contact } from './contact.ts';
import { askAgain, ownReports } from './contests.ts';
import { takeCounter, turnCounters } from './copyright/counter.ts';
import { takeCounterByLink, viewCounterLink } from './copyright/link.ts';
import { takeNotice } from './copyright/notice.ts';
import { decide, dismissAll, restoreDue, undo } from './desk/decide.ts';
import { givePicturesBack, picturesBackJob } from './desk/effects.ts';
import { refundByTwo } from './desk/giving-back.ts';
import { hearLaterCopy } from './desk/later-copies.ts';
import { countInbox, listInbox } from './desk/list.ts';
import { mayLoad } from './desk/looks.ts';
import { openCasePicture } from './desk/pictures.ts';
import { reopenAll } from './desk/reopen.ts';
import { lookAt } from './desk/thing.ts';
import { viewCase } from './desk/view.ts';
import * as work from './desk/work.ts';
import { registerOwn } from './own.ts';
import { forgetUnused, keepPicture, keepPictureOfBlocked, openOwnPicture } from './pictures.ts';
import { openKeptPicture } from './profiles.ts';
import { report } from './report.ts';
import { answerOf, statusOf } from './status.ts';
import * as tickets from './tickets.ts';

function bindPeople({ bind, ctx }: Server): void {
  bind(contract.submitReport, ({ actor, body }) => report(ctx, actor, body));
  bind(contract.contactAdmin, ({ actor, body, request }) => contact(ctx, actor, body, callerNetwork(request)));
  bind(contract.addContactPicture, async ({ request }) =>
    keepPictureOfBlocked(ctx, await readPictureForm(ctx, request)),
  );
  bind(contract.complain, ({ actor, body, request }) => complainOf(ctx, actor, body, callerNetwork(request)));
  bind(copyright.giveNotice, ({ actor, body, request }) => takeNotice(ctx, actor, body, callerNetwork(request)));
  bind(contract.complaintStatus, ({ body, request }) => statusOf(ctx, body, callerNetwork(request)));
  bind(contract.answerComplaint, ({ body, request }) => answerOf(ctx, body, callerNetwork(request)));

  bind(contract.listTickets, ({ actor, query }) => tickets.viewTickets(ctx, actor, query));
  bind(contract.openTicket, ({ actor, body, operationId }) => tickets.askHelp(ctx, actor, body, operationId));
  bind(contract.readTicket, ({ actor, params }) => tickets.viewTicket(ctx, actor, params.id));
  bind(contract.writeTicket, ({ actor, params, body }) => tickets.goOn(ctx, actor, params.id, body));
  bind(contract.closeTicket, ({ actor, params }) => tickets.settle(ctx, actor, params.id));
  bind(contract.addTicketPicture, async ({ actor, request }) =>
    keepPicture(ctx, actor.userId, (await readPictureForm(ctx, request)).file),
  );
  bind(contract.readTicketPicture, ({ actor, params }) => openOwnPicture(ctx, actor, params.id));

  bind(contract.listDecisions, ({ actor }) => ownDecisions(ctx, actor));
  bind(contract.appeal, ({ actor, params, body }) => appealAgainst(ctx, actor, params.id, body.message));
  bind(contract.listReports, ({ actor }) => ownReports(ctx, actor));
  bind(contract.askSecondLook, ({ actor, params, body }) => askAgain(ctx, actor, params.id, body.message));
  bind(copyright.readCounterLink, ({ query }) => viewCounterLink(ctx, query.of));
  bind(copyright.giveCounterByLink, ({ body }) => takeCounterByLink(ctx, body));
  bind(copyright.giveCounterNotice, ({ actor, params, body }) => takeCounter(ctx, actor, params.id, body));
}

function bindDesk({ bind, ctx }: Server): void {
  bind(desk.listCases, ({ actor, query }) => listInbox(ctx, actor, query));
  bind(desk.countCases, ({ actor }) => countInbox(ctx, actor));
  bind(desk.readCase, ({ actor, params }) => viewCase(ctx, actor, params.id));
  bind(desk.showThing, ({ actor, params }) => lookAt(ctx, actor, params.id));
  bind(desk.readCaseProfile, async ({ actor, params }) => {
    if (!(await mayLoad(ctx, actor, params.profileId))) throw new AppError('NOT_FOUND');
    return openKeptPicture(ctx, params);
  });
  bind(desk.readCasePicture, async ({ actor, params }) => {
    const picture = await openCasePicture(ctx, actor, params.id, params.pictureId);
    const look = { operatorId: actor.userId, act: 'case.look', subjectKind: 'case', subjectId: params.id };
    await ctx.db.transaction((tx) => noteAct(ctx, tx, { ...look, facts: { picture: params.pictureId } }));
    return picture;
  });
  bind(desk.assignCase, ({ actor, params, body }) => work.assign(ctx, actor, params.id, body.isMine));
  bind(desk.passCase, ({ actor, params, body }) => work.pass(ctx, actor, params.id, body));
  bind(desk.noteCase, ({ actor, params, body }) => work.note(ctx, actor, params.id, body.text));
  bind(desk.replyCase, ({ actor, params, body }) => work.reply(ctx, actor, params.id, body));
  bind(desk.decideCase, ({ actor, params, body }) => decide(ctx, actor, params.id, body));
  bind(desk.undoDecision, ({ actor, params, body }) => undo(ctx, actor, params.id, body));
  bind(desk.dismissCases, ({ actor, body }) => dismissAll(ctx, actor, body));
  bind(desk.reopenCases, ({ actor, body }) => reopenAll(ctx, actor, body));
  bind(answers.listAnswers, () => work.answers(ctx));
  bind(answers.saveAnswer, ({ actor, body }) => work.keepAnswer(ctx, actor, body));
  bind(answers.dropAnswer, ({ actor, params }) => work.letGoOfAnswer(ctx, actor, params.id));
}

export function register(server: Server): void {
  const { ctx } = server;
  grantMedia(ctx, DESK_TABLE, (viewer, mediaId) => mayLoad(ctx, viewer, mediaId), { isFleeting: true });
  grantFiles(ctx, DESK_TABLE, async (viewer, key) => {
    const id = fileIdOf(key);
    return id !== undefined && (await mayLoad(ctx, viewer, id)) ? (await findAnyFile(ctx.db, id))?.file : undefined;
  });
  bindPeople(server);
  bindDesk(server);
  registerOwn(ctx);
  const ofOwner = { lane: 'quick', subject: ({ ownerId }: { ownerId: string }) => `copies:${ownerId}` } as const;
  ctx.events.do('media.copyWithheld', 'cases.laterCopies', ofOwner, ({ payload }) => hearLaterCopy(ctx, payload));
  registerMoneyAct(ctx, 'refund', refundByTwo(ctx));
  ctx.jobs.define(picturesBackJob, (wish) => givePicturesBack(ctx, wish));
  ctx.jobs.schedule('cases.counters', '*/10 * * * *', () => turnCounters(ctx, (id) => restoreDue(ctx, id)));
  ctx.jobs.schedule('cases.forget', '47 3 * * *', () => forgetUnused(ctx));
}
