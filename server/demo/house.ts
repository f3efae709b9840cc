/** Who runs the demo world, as its public texts name them: plainly nobody; and what its operator once stopped. */
import { writeFacts } from '../features/policies/index.ts';
import { turn } from '../features/switches/index.ts';
import type { Context } from '../kernel/context.ts';
import type { Past } from './past.ts';

export async function sayWhoRunsIt({ db }: Context): Promise<void> {
  await db.transaction((tx) =>
    writeFacts(tx, {
      company: 'Stagedoor Demonstration',
      address: '1 Example Street, 00000 Example',
      country: 'the demonstration',
      contactMail: 'hello@stagedoor.example',
      dmcaAgent: 'Copyright agent of the demonstration',
      dmcaAddress: '1 Example Street, 00000 Example',
      dmcaMail: 'copyright@stagedoor.example',
      dmcaPhone: '+1 555 0100',
      custodian: 'Custodian of records of the demonstration',
      custodianAddress: '1 Example Street, 00000 Example',
      custodianHours: 'Monday to Friday, 9:00 to 13:00',
    }),
  );
}

const GOES_ON = { isStopped: false, words: '' };
const MOVING = { isStopped: true, words: 'We move to larger disks. Uploads open again in three hours.' };

/** Uploads were stopped for three hours, from that moment on. */
export async function moveDisks({ ctx, moveTo }: Past, operatorId: string, at: Date): Promise<void> {
  moveTo(at);
  await turn(ctx, operatorId, 'uploads', { from: GOES_ON, to: MOVING, ground: 'The store moves to larger disks' });
  moveTo(new Date(at.getTime() + 3 * 60 * 60_000));
  await turn(ctx, operatorId, 'uploads', {
    from: MOVING,
    to: GOES_ON,
    ground: 'Everything has moved and was compared',
  });
}
