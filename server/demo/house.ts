/** Fictitious company details, past settings, and announcements. */
import { FEES } from '@stagedoor/contract/atoms/limits.ts';
import { DEFAULT_PRICES } from '@stagedoor/contract/atoms/prices.ts';
import { lastOf } from '../features/audit/index.ts';
import { feesOf, setFees, setPrices, writeFacts } from '../features/policies/index.ts';
import { priceLimits } from '../features/sales/index.ts';
import { turn, writeAnnouncement } from '../features/switches/index.ts';
import type { Context } from '../kernel/context.ts';
import { operationOf, type Past } from './past.ts';

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

const USUAL: { generalFee: number; highestTip: number } = {
  generalFee: FEES.generalPercent,
  highestTip: DEFAULT_PRICES.tip.max,
};
const TRIED = { generalFee: 18, highestTip: 150 };

/** Unchanged values create no history entry. */
async function setTerms(
  { ctx }: Past,
  operatorId: string,
  { generalFee, highestTip }: typeof USUAL,
  grounds: string[],
) {
  const [fees, prices] = [await feesOf(ctx.db), await priceLimits(ctx.db)];
  const [ofFees = '', ofPrices = ''] = grounds;
  await setFees(ctx, operatorId, { from: fees, to: { ...fees, generalFee }, ground: ofFees });
  const to = { ...prices, tip: { ...prices.tip, max: highestTip } };
  await setPrices(ctx, operatorId, { from: prices, to, ground: ofPrices });
}

/** Gives the settings a history. No sale happens in that time. */
export async function tryOtherTerms(past: Past, operatorId: string, at: Date): Promise<void> {
  const isTried = (await lastOf(past.ctx.db, 'settings', ['settings.prices'])) !== undefined;
  past.moveTo(at);
  if (!isTried)
    await setTerms(past, operatorId, TRIED, ['A lower fee while we open', 'Until we know who gives how much']);
  past.moveTo(new Date(at.getTime() + 3 * 60 * 60_000));
  await setTerms(past, operatorId, USUAL, ['The offer of the first days is enough', 'Nobody gave too much']);
}

const DAY_MS = 24 * 60 * 60_000;

/** One announcement is in the past and one in the future, so that demo pages start without any. */
export async function announceThings({ ctx, moveTo }: Past, operatorId: string, at: Date, epoch: Date): Promise<void> {
  const days = (from: Date, count: number) => new Date(from.getTime() + count * DAY_MS).toISOString();
  moveTo(at);
  await writeAnnouncement(
    ctx,
    operatorId,
    {
      ...{ title: 'Larger disks', text: 'Uploads pause for three hours tonight. What you have stays as it is.' },
      ...{ level: 'important', audience: 'creators', isDismissable: true, from: null, until: days(at, 2) },
    },
    operationOf('announce larger disks'),
  );
  await writeAnnouncement(
    ctx,
    operatorId,
    {
      ...{ title: 'Open studio night', text: 'On Friday from eight, many creators take calls at half their rate.' },
      ...{ level: 'info', audience: 'everybody', isDismissable: true, from: days(epoch, 30), until: days(epoch, 33) },
    },
    operationOf('announce an open studio night'),
  );
}
