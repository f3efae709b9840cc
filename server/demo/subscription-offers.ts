/** Offers of a creator: one that runs and one that has ended, each with a subscriber. */
import { createOffer, listOwnOffers, type OfferBody } from '@stagedoor/contract/content/subscription-offers.ts';
import type { DemoContext } from './demo-context.ts';

const DAY_MS = 24 * 60 * 60_000;

export type DemoOfferAction = { kind: 'offer'; creator: string; code: string; at: Date };

type DemoOffer = Pick<OfferBody, 'percentOff' | 'periods' | 'audience' | 'maxUses'> & {
  creator: string;
  code: string;
  daysAgo: number;
  runsDays: number;
};
const OFFERS: readonly DemoOffer[] = [
  {
    ...{ creator: 'demo.creator', code: 'FIRSTFIRE', daysAgo: 54.5, runsDays: 14 },
    ...{ percentOff: 50, periods: 1, audience: 'everyone', maxUses: null },
  },
  {
    ...{ creator: 'demo.creator', code: 'KILN20', daysAgo: 9, runsDays: 30 },
    ...{ percentOff: 20, periods: 3, audience: 'new', maxUses: 50 },
  },
];

export function listOfferActions(epoch: Date): DemoOfferAction[] {
  return OFFERS.map(({ creator, code, daysAgo }) => ({
    ...{ kind: 'offer', creator, code, at: new Date(Math.round(epoch.getTime() - daysAgo * DAY_MS)) },
  }));
}

/** Idempotent. */
export async function performOfferStep(
  { pastApp }: DemoContext,
  { creator, code, at, key }: DemoOfferAction & { key: string },
): Promise<void> {
  const plan = OFFERS.find((offer) => offer.code === code && offer.creator === creator);
  if (!plan) throw new Error(`${creator} has no offer ${code}`);
  const { offers } = await pastApp.call(listOwnOffers, { as: creator });
  if (offers.some((offer) => offer.code === code)) return;
  const { percentOff, periods, audience, maxUses, runsDays } = plan;
  const endsAt = new Date(at.getTime() + runsDays * DAY_MS).toISOString();
  const body = { code, percentOff, periods, audience, maxUses, tierId: null, endsAt };
  await pastApp.call(createOffer, { as: creator, key, body });
}
