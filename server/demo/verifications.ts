/** Verification of the demo creators with drawn specimen documents. */
import {
  type DocumentKind,
  getCreatorAgreement,
  getVerification,
  signAgreement,
  submitVerification,
  updateVerificationDetails,
  uploadVerificationDocument,
} from '@stagedoor/contract/compliance/verification.ts';
import sharp from 'sharp';
import { decideVerification, viewVerification } from '../modules/compliance/verification/index.ts';
import { saveCallSettings } from './calls.ts';
import { createCreator, createPictureForm, createUser } from './creators.ts';
import type { DemoContext } from './demo-context.ts';
import { getJoinTime } from './history.ts';
import { type DemoCreator, OPERATOR, PENDING_CREATOR } from './world.ts';

const KINDS: readonly DocumentKind[] = ['idFront', 'idBack', 'selfie'];

type Patch = readonly [left: number, top: number, width: number, height: number, lightness: number];
const CARD: Patch = [90, 80, 780, 470, 210];
const LINES: readonly Patch[] = [0, 1, 2, 3].map((n) => [380, 170 + 60 * n, 420 - 60 * n, 18, 110]);
const DOCUMENTS: Readonly<Record<DocumentKind, readonly Patch[]>> = {
  idFront: [CARD, [140, 150, 190, 250, 140], ...LINES],
  idBack: [CARD, [90, 130, 780, 80, 60], ...LINES],
  selfie: [
    [330, 90, 300, 400, 150],
    [230, 490, 500, 140, 120],
  ],
};

function draw(kind: DocumentKind): Promise<Buffer> {
  const createFlatImage = (width: number, height: number, grey: number) => ({
    create: { width, height, channels: 3 as const, background: { r: grey, g: grey, b: grey + 12 } },
  });
  return sharp(createFlatImage(960, 630, 30))
    .composite(
      DOCUMENTS[kind].map(([left, top, width, height, grey]) => ({
        input: createFlatImage(width, height, grey),
        left,
        top,
      })),
    )
    .webp()
    .toBuffer();
}

let drawnDocuments: Promise<[DocumentKind, Buffer][]> | undefined;

async function submitDocuments(
  { pastApp }: DemoContext,
  { username, name }: { username: string; name: string },
): Promise<void> {
  const { status } = await pastApp.call(getVerification, { as: username });
  if (status !== 'started') return;
  const personalDetails = { dateOfBirth: '1990-05-17', country: 'PT', documentType: 'identityCard' as const };
  await pastApp.call(updateVerificationDetails, { as: username, body: { legalName: name, ...personalDetails } });
  drawnDocuments ??= Promise.all(KINDS.map(async (kind) => [kind, await draw(kind)]));
  for (const [kind, file] of await drawnDocuments) {
    const form = createPictureForm('file', kind, file);
    await pastApp.call(uploadVerificationDocument, { as: username, params: { kind }, form });
  }
  const { version } = await pastApp.call(getCreatorAgreement, { as: username });
  await pastApp.call(signAgreement, { as: username, body: { version, signedAs: name } });
  await pastApp.call(submitVerification, { as: username });
}

async function verifyCreator(context: DemoContext, { username, profile }: DemoCreator): Promise<void> {
  const { pastApp, ids } = context;
  await submitDocuments(context, { username, name: profile.name });
  const { status } = await pastApp.call(getVerification, { as: username });
  if (status === 'verified') return;
  const [operatorId, creatorId] = [ids.get(OPERATOR.username) ?? '', ids.get(username) ?? ''];
  await viewVerification(pastApp.ctx, { userId: operatorId }, creatorId);
  await decideVerification(pastApp.ctx, operatorId, creatorId, { decision: 'verify', rejected: [] });
}

export async function createVerifiedCreator(context: DemoContext, creator: DemoCreator): Promise<void> {
  await createCreator(context, creator);
  await verifyCreator(context, creator);
  await saveCallSettings(context.pastApp, creator);
}

export async function createPendingCreator(context: DemoContext): Promise<void> {
  const { username, name } = PENDING_CREATOR;
  context.pastApp.moveTo(getJoinTime(PENDING_CREATOR, context.epoch));
  await createUser(context, { type: 'creator', username, name });
  await context.pastApp.logIn(username);
  await submitDocuments(context, { username, name });
  context.pastApp.moveTo(context.epoch);
}
