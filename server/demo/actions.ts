/** What happens in the history of the demo world. */
import type { DemoCallAction } from './calls.ts';
import type { DemoMessageAction } from './chats.ts';
import type { DemoPayoutAction } from './payouts.ts';
import type { DemoOfferAction } from './subscription-offers.ts';
import type { DemoSubscriptionAction, DemoTierAction } from './subscriptions.ts';

export type DemoSettlementAction = {
  kind: 'settlement';
  day: string;
  gross: number;
  fees: number;
  chargebackFees: number;
};

export type ActionInput =
  | { kind: 'join'; username: string }
  | { kind: 'open'; creator: string }
  /** `isReserved`: for a subscription, not for the fan's other actions. */
  | {
      kind: 'deposit';
      username: string;
      usd: number;
      isDeclined: boolean;
      isReportedTwice?: boolean;
      isReserved?: boolean;
    }
  /** `deposit` is the key of the deposit's action. `usd` is the part of the card payment that is returned. */
  | { kind: 'reversal'; username: string; deposit: string; event: 'Refund' | 'Chargeback'; usd: number }
  | { kind: 'follow'; username: string; creator: string }
  | { kind: 'post'; post: number }
  | { kind: 'like'; username: string; post: number }
  | { kind: 'unlock'; username: string; post: number }
  | {
      kind: 'tip';
      username: string;
      creator: string;
      usd: number;
      post: number | undefined;
      note: string;
      isReserved?: boolean;
    }
  | DemoCallAction
  | DemoMessageAction
  | DemoPayoutAction
  | DemoSubscriptionAction
  | DemoTierAction
  | Omit<DemoOfferAction, 'at'>
  | DemoSettlementAction;
/** `post` is an index into POSTS, `key` is unique. */
export type DemoAction = ActionInput & { at: Date; key: string };
