import { callHistory, getCallLog, getCallTerms, missedCalls } from '@stagedoor/contract/calls.ts';
import {
  beginCall,
  callBackAsked,
  callClockChanged,
  callEnded,
  callOffer,
  callOfferFan,
  callRinging,
  callSignalled,
  callStarted,
  callTakenOver,
} from '@stagedoor/contract/calls-live.ts';
import { isolated } from '../../kernel/bidi.ts';
import { isConnected, onConnected, onEvent } from '../../kernel/live.ts';
import { showToast } from '../../kernel/outcome.ts';
import { routeKey } from '../../kernel/query.ts';
import type { Listener } from '../../kernel/room.ts';
import { viewerQuery } from '../../kernel/session.ts';
import { askCurrent, begun, happen, hearSignal, ownDevice } from './session.ts';

const LISTS = [callHistory, getCallLog, getCallTerms, missedCalls];

export const listenForCalls: Listener = (client, { id, type }) => {
  // Calls belong to the creator alone, so team members who act on the creator's behalf do not receive them.
  if (type === 'operator' || client.getQueryData(viewerQuery().queryKey)?.acting) return () => undefined;
  const now = () => performance.now();
  const refresh = () => {
    for (const route of LISTS) void client.invalidateQueries({ queryKey: routeKey(route) });
  };
  const stops = [
    onConnected(() => {
      void askCurrent();
      // Callbacks that happened while the page was loading were missed.
      void client.invalidateQueries({ queryKey: routeKey(missedCalls) });
    }),
    onEvent(callOffer, (offer) => happen({ type: 'offer', offer, at: now() })),
    onEvent(callOfferFan, () => refresh()),
    onEvent(callRinging, ({ callLogId }) => happen({ type: 'rang', callLogId })),
    onEvent(beginCall, ({ callLogId, device, otherDevice }) => void begun(callLogId, [device, otherDevice])),
    onEvent(callStarted, () => refresh()),
    onEvent(callSignalled, hearSignal),
    onEvent(callClockChanged, ({ callLogId, clock, warnSeconds }) =>
      happen({ type: 'clock', callLogId, clock, warnSeconds, at: now() }),
    ),
    onEvent(callTakenOver, ({ callLogId, userId, device }) => {
      if (userId === id) happen({ type: 'takenOver', callLogId, device, ownDevice });
    }),
    onEvent(callEnded, (ended) => {
      happen({ type: 'ended', ended });
      refresh();
    }),
    onEvent(callBackAsked, ({ name }) => {
      void showToast(`${isolated(name)} would like you to call back.`);
      refresh();
    }),
  ];
  if (isConnected()) void askCurrent();
  return () => {
    for (const stop of stops) stop();
  };
};
