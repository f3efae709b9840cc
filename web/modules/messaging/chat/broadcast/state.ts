/**
 * The state of composing a broadcast: its recipients, either chosen conversations or a group. Turning it off clears it
 * (row E8).
 */

import type { BroadcastAudience } from '@stagedoor/contract/messaging/broadcasts.ts';
import { BROADCAST_KEY } from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { SubscriptionTierId } from '@stagedoor/contract/shared/ids.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { showToast } from '../../../../platform/feedback.ts';
import { dropThread } from '../cache.ts';
import * as texts from './texts.ts';

export type BroadcastSchedule = {
  /** The field for the time is open. */
  isLater: boolean;
  /** As the field has it. '' while no complete time is chosen. */
  wall: string;
};
export const SEND_NOW: BroadcastSchedule = { isLater: false, wall: '' };

export type BroadcastChoice = {
  isOn: boolean;
  setOn: (isOn: boolean) => void;
  chosen: ReadonlySet<string>;
  toggle: (conversationId: string) => void;
  audience: BroadcastAudience;
  setAudience: (audience: BroadcastAudience) => void;
  /** Of the audience `tier`. */
  tierId: SubscriptionTierId | undefined;
  setTierId: (tierId: SubscriptionTierId | undefined) => void;
  excludeBuyers: boolean;
  setExcludeBuyers: (excludes: boolean) => void;
  schedule: BroadcastSchedule;
  setSchedule: (schedule: BroadcastSchedule) => void;
};

const NO_CONVERSATIONS: ReadonlySet<string> = new Set();

/** @param linkedAudience The group of a link to a new broadcast. */
export function useBroadcastChoice(
  base: string,
  openId: string | undefined,
  linkedAudience: BroadcastAudience | undefined,
): BroadcastChoice {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOn, setIsOn] = useState(openId === BROADCAST_KEY);
  const [chosen, setChosen] = useState(NO_CONVERSATIONS);
  const [audience, setAudience] = useState<BroadcastAudience>(linkedAudience ?? 'followers');
  const [tierId, setTierId] = useState<SubscriptionTierId>();
  const [excludeBuyers, setExcludeBuyers] = useState(false);
  const [schedule, setSchedule] = useState(SEND_NOW);
  return {
    isOn: isOn || openId === BROADCAST_KEY,
    chosen,
    audience,
    excludeBuyers,
    schedule,
    setExcludeBuyers,
    setSchedule,
    setAudience,
    tierId,
    setTierId,
    setOn: (next) => {
      setIsOn(next);
      setChosen(NO_CONVERSATIONS);
      setAudience('followers');
      setTierId(undefined);
      setExcludeBuyers(false);
      setSchedule(SEND_NOW);
      if (!next) dropThread(client, BROADCAST_KEY);
      const isWide = matchMedia('(min-width: 60rem)').matches;
      if (next && isWide) void navigate(`${base}/${BROADCAST_KEY}`);
      else if (next || openId === BROADCAST_KEY) void navigate(base);
    },
    toggle: (id) => {
      const next = new Set(chosen);
      if (!next.delete(id)) next.add(id);
      if (next.size > CHAT_LIMITS.broadcastTargets)
        return void showToast(
          formatText(texts.broadcastTargetsLimit, { chatCount: CHAT_LIMITS.broadcastTargets }),
          'info',
        );
      setChosen(next);
      setAudience(next.size > 0 ? 'chosen' : 'followers');
    },
  };
}
