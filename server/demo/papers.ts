/** Verification of the demo creators with drawn specimen documents. */
import {
  addVerificationDocument,
  changeVerificationDetails,
  type DocumentKind,
  readAgreement,
  signAgreement,
  submitVerification,
  verificationStatus,
} from '@stagedoor/contract/verification.ts';
import sharp from 'sharp';
import { decideVerification } from '../features/verification/index.ts';
import { setTerms } from './calls.ts';
import { joinedAt } from './history.ts';
import { join, openStudio, pictureForm, type Stage } from './studio.ts';
import { type DemoCreator, NEWCOMER, OPERATOR } from './world.ts';

const KINDS: readonly DocumentKind[] = ['idFront', 'idBack', 'selfie'];

type Patch = readonly [left: number, top: number, width: number, height: number, lightness: number];
const CARD: Patch = [90, 80, 780, 470, 210];
const LINES: readonly Patch[] = [0, 1, 2, 3].map((n) => [380, 170 + 60 * n, 420 - 60 * n, 18, 110]);
const SHEETS: Readonly<Record<DocumentKind, readonly Patch[]>> = {
  idFront: [CARD, [140, 150, 190, 250, 140], ...LINES],
  idBack: [CARD, [90, 130, 780, 80, 60], ...LINES],
  selfie: [
    [330, 90, 300, 400, 150],
    [230, 490, 500, 140, 120],
  ],
};

function draw(kind: DocumentKind): Promise<Buffer> {
  const flat = (width: number, height: number, grey: number) => ({
    create: { width, height, channels: 3 as const, background: { r: grey, g: grey, b: grey + 12 } },
  });
  return sharp(flat(960, 630, 30))
    .composite(
      SHEETS[kind].map(([left, top, width, height, grey]) => ({ input: flat(width, height, grey), left, top })),
    )
    .webp()
    .toBuffer();
}

let drawn: Promise<[DocumentKind, Buffer][]> | undefined;

async function handIn({ past }: Stage, { username, name }: { username: string; name: string }): Promise<void> {
  const { status } = await past.call(verificationStatus, { as: username });
  if (status !== 'started') return;
  const born = { dateOfBirth: '1990-05-17', country: 'PT', documentType: 'identityCard' as const };
  await past.call(changeVerificationDetails, { as: username, body: { legalName: name, ...born } });
  drawn ??= Promise.all(KINDS.map(async (kind) => [kind, await draw(kind)]));
  for (const [kind, file] of await drawn) {
    const form = pictureForm('file', kind, file);
    await past.call(addVerificationDocument, { as: username, params: { kind }, form });
  }
  const { version } = await past.call(readAgreement, { as: username });
  await past.call(signAgreement, { as: username, body: { version, signedAs: name } });
  await past.call(submitVerification, { as: username });
}

async function showPapers(stage: Stage, { username, profile }: DemoCreator): Promise<void> {
  const { past, ids } = stage;
  await handIn(stage, { username, name: profile.name });
  const { status } = await past.call(verificationStatus, { as: username });
  if (status === 'verified') return;
  const operatorId = ids.get(OPERATOR.username) ?? null;
  await decideVerification(past.ctx, operatorId, ids.get(username) ?? '', { decision: 'verify', rejected: [] });
}

export async function letIn(stage: Stage, creator: DemoCreator): Promise<void> {
  await openStudio(stage, creator);
  await showPapers(stage, creator);
  await setTerms(stage.past, creator);
}

export async function waitAtTheDoor(stage: Stage): Promise<void> {
  const { username, name } = NEWCOMER;
  stage.past.moveTo(joinedAt(NEWCOMER, stage.epoch));
  await join(stage, { type: 'creator', username, name });
  await stage.past.logIn(username);
  await handIn(stage, { username, name });
  stage.past.moveTo(stage.epoch);
}
