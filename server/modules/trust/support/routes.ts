import * as cannedContract from '@stagedoor/contract/admin/canned-responses.ts';
import * as contract from '@stagedoor/contract/trust/support.ts';
import { getCallerNetwork } from '../../../platform/http/http.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { readPictureForm } from '../../content/media/index.ts';
import { openOwnPicture, storeCasePicture } from '../moderation/index.ts';
import { getCannedResponses, removeCannedResponse, storeCannedResponse } from './canned-responses.ts';
import { storeBlockedUserPicture, storeComplaint, submitContactMessage } from './contact.ts';
import { addReply, getStatus } from './status.ts';
import * as tickets from './tickets.ts';

export function register({ bind, ctx }: ModuleHost): void {
  bind(contract.contactAdmin, ({ actor, body, request }) =>
    submitContactMessage(ctx, actor, body, getCallerNetwork(request)),
  );
  bind(contract.addContactPicture, async ({ request }) =>
    storeBlockedUserPicture(ctx, await readPictureForm(ctx, request)),
  );
  bind(contract.submitComplaint, ({ actor, body, request }) =>
    storeComplaint(ctx, actor, body, getCallerNetwork(request)),
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

  bind(cannedContract.listCannedResponses, () => getCannedResponses(ctx));
  bind(cannedContract.saveCannedResponse, ({ actor, body }) => storeCannedResponse(ctx, actor, body));
  bind(cannedContract.deleteCannedResponse, ({ actor, params }) => removeCannedResponse(ctx, actor, params.id));
}
