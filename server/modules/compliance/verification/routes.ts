import * as contract from '@stagedoor/contract/compliance/verification.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerSellerEligibility } from '../../commerce/sales/index.ts';
import { readPictureForm } from '../../content/media/index.ts';
import { decideSubmission, listVerificationQueue, viewDocument, viewVerification } from './admin.ts';
import { agreement } from './agreement.ts';
import { getOwnVerification, signCreatorAgreement, submitForReview, updateDetails, uploadDocument } from './creator.ts';
import { findIneligibilityReason } from './eligibility.ts';
import { deleteOldPictures, deleteOrphanPictures } from './pictures.ts';

export function register({ bind, ctx }: ModuleHost): void {
  registerSellerEligibility(ctx, findIneligibilityReason);

  bind(contract.getVerification, ({ actor }) => getOwnVerification(ctx, actor));
  bind(contract.updateVerificationDetails, ({ actor, body }) => updateDetails(ctx, actor, body));
  bind(contract.uploadVerificationDocument, async ({ actor, params, request }) =>
    uploadDocument(ctx, actor, params.kind, (await readPictureForm(ctx, request)).file),
  );
  bind(contract.getCreatorAgreement, () => agreement);
  bind(contract.signAgreement, ({ actor, body }) => signCreatorAgreement(ctx, actor, body));
  bind(contract.submitVerification, ({ actor }) => submitForReview(ctx, actor));

  bind(contract.listVerifications, ({ query }) => listVerificationQueue(ctx, query));
  bind(contract.getAdminVerification, ({ actor, params }) => viewVerification(ctx, actor, params.id));
  bind(contract.getVerificationDocument, ({ actor, params }) => viewDocument(ctx, actor, params.id, params.kind));
  bind(contract.decideVerification, ({ actor, params, body }) => decideSubmission(ctx, actor.userId, params.id, body));

  ctx.jobs.schedule('verification.purgeExpired', '31 2 * * *', async () => {
    await deleteOldPictures(ctx);
    await deleteOrphanPictures(ctx);
  });
}
