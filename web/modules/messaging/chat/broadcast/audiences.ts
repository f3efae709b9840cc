import type { BroadcastAudience } from '@stagedoor/contract/messaging/broadcasts.ts';
import * as texts from './texts.ts';

export const AUDIENCE_LABELS: Readonly<Record<BroadcastAudience, string>> = {
  chosen: texts.selectedChats,
  followers: texts.allFollowers,
  buyers: texts.pastBuyers,
  active: texts.activeInLast30Days,
  notBought: texts.followersWithoutUnlock,
  subscribers: texts.allSubscribers,
  tier: texts.subscribersOfTier,
  newSubscribers: texts.newSubscribers,
  trials: texts.trialSubscribers,
  pastDue: texts.pastDueSubscribers,
  expiring: texts.expiringSubscribers,
  ended: texts.endedSubscribers,
  topSpenders: texts.topSpenders,
};
