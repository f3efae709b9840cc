/** Who runs the demo world, as its public texts name them: plainly nobody. */
import { writeFacts } from '../features/policies/index.ts';
import type { Context } from '../kernel/context.ts';

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
