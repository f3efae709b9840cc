/** What the demo world's creators showed of themselves: specimens, drawn, that are nobody's; and the operator who accepted them. */
import {
  addVerificationDocument,
  changeVerificationDetails,
  type DocumentKind,
  readAgreement,
  signAgreement,
  submitVerification,
} from '@stagedoor/contract/verification.ts';
import sharp from 'sharp';
import { decideVerification } from '../features/verification/index.ts';
import { pictureForm, type Stage } from './studio.ts';
import { CREATORS, OPERATOR } from './world.ts';

const KINDS: readonly DocumentKind[] = ['idFront', 'idBack', 'selfie'];
const WORDS = { idFront: 'SPECIMEN · FRONT', idBack: 'SPECIMEN · BACK', selfie: 'SPECIMEN · FACE' } as const;

/** A picture that says of itself that it proves nothing. */
function draw(kind: DocumentKind, hue: number): Promise<Buffer> {
  const paint = (lightness: number) => `hsl(${hue} 24% ${lightness}%)`;
  const sheet =
    kind === 'selfie'
      ? `<ellipse cx="480" cy="310" rx="170" ry="220" fill="${paint(58)}"/>`
      : `<rect x="90" y="80" width="780" height="470" rx="28" fill="${paint(82)}"/><rect x="140" y="150" width="190" height="250" fill="${paint(56)}"/>
         ${[170, 230, 290, 350].map((y) => `<rect x="380" y="${y}" width="${640 - y}" height="18" fill="${paint(44)}"/>`).join('')}`;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="630"><rect width="960" height="630" fill="${paint(22)}"/>${sheet}
    <text x="480" y="600" text-anchor="middle" font-family="sans-serif" font-size="34" fill="${paint(90)}">${WORDS[kind]}</text></svg>`;
  return sharp(Buffer.from(picture)).webp().toBuffer();
}

/** Every creator is verified the way everybody is, a day after they joined. */
export async function showPapers({ past, ids }: Stage): Promise<void> {
  const operatorId = ids.get(OPERATOR.username) ?? null;
  const pictures = new Map(
    await Promise.all(KINDS.map(async (kind, index) => [kind, await draw(kind, 40 + 80 * index)] as const)),
  );
  for (const { username, profile } of CREATORS) {
    const creatorId = ids.get(username) ?? '';
    const known = await past.ctx.db.query
      .selectFrom('verifications')
      .select('status')
      .where('creator_id', '=', creatorId)
      .executeTakeFirst();
    if (known?.status === 'verified') continue;
    if (known?.status !== 'submitted') {
      await past.logIn(username);
      const who = {
        legalName: profile.name,
        dateOfBirth: '1990-05-17',
        country: 'PT',
        documentType: 'identityCard' as const,
      };
      await past.call(changeVerificationDetails, { as: username, body: who });
      for (const [kind, file] of pictures)
        await past.call(addVerificationDocument, {
          as: username,
          params: { kind },
          form: pictureForm('file', kind, file),
        });
      const { version } = await past.call(readAgreement, { as: username });
      await past.call(signAgreement, { as: username, body: { version, signedAs: profile.name, strokes: [] } });
      await past.call(submitVerification, { as: username });
    }
    await decideVerification(past.ctx, operatorId, creatorId, { decision: 'verify', rejected: [] });
  }
}
