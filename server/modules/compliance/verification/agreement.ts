/** A signed text is never edited. A change is a new version at the end, named by the day from which it is in force. */

import type { getCreatorAgreement } from '@stagedoor/contract/compliance/verification.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';

type Agreement = ResponseInputOf<typeof getCreatorAgreement>;

/** The versions are sorted, oldest first. */
export const AGREEMENTS: readonly [Agreement, ...Agreement[]] = [
  {
    version: '2026-11-01',
    sections: [
      {
        title: 'What is yours stays yours',
        text: 'You keep every right in what you post. You let Stagedoor show it to the people you choose, for as long as it is posted, and to those who bought it for as long as they keep their account.',
      },
      {
        title: 'What we keep',
        text: 'Of what a fan pays we keep the platform fee shown on your Fees page, and no other fee. What an affiliate earns for bringing somebody in comes out of our fee, never out of your share.',
      },
      {
        title: 'When it is yours',
        text: 'What you earn is pending first, until it can no longer be taken back in the ordinary way; each line shows its day. Then it is available, and you can have it paid out.',
      },
      {
        title: 'When a payment is taken back',
        text: 'A sale that you give back is taken out of your earnings with our fee in proportion. What a bank takes back from us for a deposit is our loss, not yours, unless you had a part in it.',
      },
      {
        title: 'Who is in the picture',
        text: 'You are of age, and so is everybody who is seen or heard in what you post. They agreed to it before, and you can show that they did.',
      },
      {
        title: 'What’s not allowed',
        text: 'Nobody is harmed, threatened or deceived, nothing is posted that is not yours to post, and nothing that the law forbids where you or we are. What is reported is looked at by a person; you are told what was decided and why, and you can answer.',
      },
      {
        title: 'Calls and messages',
        text: 'You are paid for calls by the second in which both sides are connected, and by nothing else. Whoever writes in your name is named as such.',
      },
      {
        title: 'What we know of you',
        text: 'Your documents are kept encrypted, seen by those who review them, and each look is noted. The picture of your face is deleted 30 days after the decision. Fans never see your legal name.',
      },
      {
        title: 'Termination',
        text: 'You can leave at any time, and are paid what is yours. We may end it when these rules are broken, say which and why, and hold back only what is disputed. A new version of this agreement holds for you when you have signed it.',
      },
    ],
  },
];

export const agreement: Agreement = AGREEMENTS[AGREEMENTS.length - 1] ?? AGREEMENTS[0];
