import * as contract from '@stagedoor/contract/trust/copyright.ts';
import { getCallerNetwork } from '../../../platform/http/http.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerCopyrightHook } from '../moderation/index.ts';
import { acceptCounterNotice, processDueCounterNotices } from './counter-notice.ts';
import { registerNoticeExport } from './data-export.ts';
import { acceptCounterNoticeByLink, viewCounterNoticeLink } from './link.ts';
import { acceptNotice } from './notice.ts';
import { notifyParties, notifyReversal } from './notify.ts';
import { createClaimLookup, describeClaim, loadCaseView } from './present.ts';
import { deleteContacts } from './store.ts';

export function register({ bind, ctx }: ModuleHost): void {
  bind(contract.submitCopyrightNotice, ({ actor, body, request }) =>
    acceptNotice(ctx, actor, body, getCallerNetwork(request)),
  );
  bind(contract.submitCounterNotice, ({ actor, params, body }) => acceptCounterNotice(ctx, actor, params.id, body));
  bind(contract.getCounterNoticeLink, ({ query }) => viewCounterNoticeLink(ctx, query.token));
  bind(contract.submitCounterNoticeByLink, ({ body }) => acceptCounterNoticeByLink(ctx, body));

  registerCopyrightHook(ctx, {
    loadCaseView,
    createClaimLookup,
    describeClaim,
    onCounterNoticeDecided: notifyParties,
    onReversed: notifyReversal,
  });
  registerNoticeExport(ctx);
  ctx.jobs.schedule('copyright.processCounterNotices', '*/10 * * * *', () => processDueCounterNotices(ctx));
  ctx.jobs.schedule('copyright.deleteContacts', '47 3 * * *', () => deleteContacts(ctx));
}
