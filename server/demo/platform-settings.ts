/** Fictitious company details, past settings, and announcements. */
import { DEFAULT_FEES } from '@stagedoor/contract/shared/limits.ts';
import { DEFAULT_PRICES } from '@stagedoor/contract/shared/prices.ts';
import { loadPriceLimits } from '../modules/commerce/sales/index.ts';
import { publishAnnouncement, setKillSwitch } from '../modules/commerce/site-status/index.ts';
import { getPlatformFees, updatePlatformFees, updatePriceLimits } from '../modules/finance/pricing/index.ts';
import { findLatestActionAt } from '../modules/identity/audit-log/index.ts';
import { saveCompanyDetails } from '../modules/trust/legal/index.ts';
import type { Context } from '../platform/context.ts';
import { type PastApp, toOperationId } from './past-app.ts';

export async function seedCompanyDetails({ db }: Context): Promise<void> {
  await db.transaction((tx) =>
    saveCompanyDetails(tx, {
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

const ENABLED = { isDisabled: false, message: '' };
const DISABLED = { isDisabled: true, message: 'We move to larger disks. Uploads open again in three hours.' };

export async function toggleUploads({ ctx, moveTo }: PastApp, operatorId: string, at: Date): Promise<void> {
  moveTo(at);
  await setKillSwitch(ctx, operatorId, 'uploads', {
    from: ENABLED,
    to: DISABLED,
    reason: 'The store moves to larger disks',
  });
  moveTo(new Date(at.getTime() + 3 * 60 * 60_000));
  await setKillSwitch(ctx, operatorId, 'uploads', {
    from: DISABLED,
    to: ENABLED,
    reason: 'Everything has moved and was compared',
  });
}

const DEFAULT_TERMS: { generalFee: number; highestTip: number } = {
  generalFee: DEFAULT_FEES.generalPercent,
  highestTip: DEFAULT_PRICES.tip.max,
};
const TRIAL_TERMS = { generalFee: 18, highestTip: 150 };

/** Unchanged values create no history entry. */
async function saveTerms(
  { ctx }: PastApp,
  operatorId: string,
  { generalFee, highestTip }: typeof DEFAULT_TERMS,
  reasons: string[],
) {
  const [fees, prices] = [await getPlatformFees(ctx.db), await loadPriceLimits(ctx.db)];
  const [feeReason = '', priceReason = ''] = reasons;
  await updatePlatformFees(ctx, operatorId, { from: fees, to: { ...fees, generalFee }, reason: feeReason });
  const to = { ...prices, tip: { ...prices.tip, max: highestTip } };
  await updatePriceLimits(ctx, operatorId, { from: prices, to, reason: priceReason });
}

/** Gives the settings a history. No sale happens in that time. */
export async function trySettings(pastApp: PastApp, operatorId: string, at: Date): Promise<void> {
  const wasTried = (await findLatestActionAt(pastApp.ctx.db, 'settings', ['settings.prices'])) !== undefined;
  pastApp.moveTo(at);
  if (!wasTried)
    await saveTerms(pastApp, operatorId, TRIAL_TERMS, [
      'A lower fee while we open',
      'Until we know who gives how much',
    ]);
  pastApp.moveTo(new Date(at.getTime() + 3 * 60 * 60_000));
  await saveTerms(pastApp, operatorId, DEFAULT_TERMS, [
    'The offer of the first days is enough',
    'Nobody gave too much',
  ]);
}

const DAY_MS = 24 * 60 * 60_000;

/** One announcement is in the past and one in the future, so that demo pages start without any. */
export async function createAnnouncements(
  { ctx, moveTo }: PastApp,
  operatorId: string,
  at: Date,
  epoch: Date,
): Promise<void> {
  const addDays = (from: Date, count: number) => new Date(from.getTime() + count * DAY_MS).toISOString();
  moveTo(at);
  await publishAnnouncement(
    ctx,
    operatorId,
    {
      ...{ title: 'Larger disks', text: 'Uploads pause for three hours tonight. What you have stays as it is.' },
      ...{ level: 'important', audience: 'creators', isDismissable: true, from: null, until: addDays(at, 2) },
    },
    toOperationId('announce larger disks'),
  );
  await publishAnnouncement(
    ctx,
    operatorId,
    {
      ...{ title: 'Open studio night', text: 'On Friday from eight, many creators take calls at half their rate.' },
      ...{
        level: 'info',
        audience: 'everyone',
        isDismissable: true,
        from: addDays(epoch, 30),
        until: addDays(epoch, 33),
      },
    },
    toOperationId('announce an open studio night'),
  );
}
