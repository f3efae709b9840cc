import * as contract from '@stagedoor/contract/verification.ts';
import type { Server } from '../../kernel/bind.ts';
import { readPictureForm } from '../media/index.ts';
import { keepDoor } from '../sales/index.ts';
import { agreement } from './agreement.ts';
import { addDocument, changeDetails, sign, submit, viewOwn } from './creator.ts';
import { decide, listQueue, look, lookAtDocument } from './desk.ts';
import { forgetOldPictures, removeLeftPictures } from './pictures.ts';
import { whyClosed } from './standing.ts';

export function register({ bind, ctx }: Server): void {
  keepDoor(ctx, whyClosed);

  bind(contract.verificationStatus, ({ actor }) => viewOwn(ctx, actor));
  bind(contract.changeVerificationDetails, ({ actor, body }) => changeDetails(ctx, actor, body));
  bind(contract.addVerificationDocument, async ({ actor, params, request }) =>
    addDocument(ctx, actor, params.kind, (await readPictureForm(ctx, request)).file),
  );
  bind(contract.readAgreement, () => agreement);
  bind(contract.signAgreement, ({ actor, body }) => sign(ctx, actor, body));
  bind(contract.submitVerification, ({ actor }) => submit(ctx, actor));

  bind(contract.listVerifications, ({ query }) => listQueue(ctx, query));
  bind(contract.readVerification, ({ actor, params }) => look(ctx, actor, params.id));
  bind(contract.readVerificationDocument, ({ actor, params }) => lookAtDocument(ctx, actor, params.id, params.kind));
  bind(contract.decideVerification, ({ actor, params, body }) => decide(ctx, actor.userId, params.id, body));

  ctx.jobs.schedule('verification.forget', '31 2 * * *', async () => {
    await forgetOldPictures(ctx);
    await removeLeftPictures(ctx);
  });
}
