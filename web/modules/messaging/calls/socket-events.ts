import { countMissedCalls, getCallLog, getCallTerms, listCallLogs } from '@stagedoor/contract/messaging/calls.ts';
import {
  beginCall,
  callbackRequested,
  callClockChanged,
  callEnded,
  callOffer,
  callOfferFan,
  callRinging,
  callSignalled,
  callStarted,
  callTakenOver,
  callTermsChanged,
} from '@stagedoor/contract/messaging/calls-events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { showToast } from '../../../platform/feedback.ts';
import type { LiveListener } from '../../../platform/module.ts';
import { routeKey } from '../../../platform/query.ts';
import { viewerQuery } from '../../../platform/session.ts';
import { isConnected, onConnected, onEvent } from '../../../platform/socket-events.ts';
import { refetchTermsOnChange } from './own-terms.ts';
import { dispatchCallAction, handleCallBegun, ownDevice, receiveSignal, refetchCurrentCall } from './session.ts';
import { applyTermsChange } from './terms-changes.ts';
import * as texts from './texts.ts';

const CALL_ROUTES = [listCallLogs, getCallLog, getCallTerms, countMissedCalls];

export const subscribeToCalls: LiveListener = (client, { id, type }) => {
  // Calls belong to the creator alone, so team members who act on the creator's behalf do not receive them.
  if (type === 'operator' || client.getQueryData(viewerQuery().queryKey)?.delegation) return () => undefined;
  const now = () => performance.now();
  const refresh = () => {
    for (const route of CALL_ROUTES) void client.invalidateQueries({ queryKey: routeKey(route) });
  };
  const unsubscribes = [
    refetchTermsOnChange(client),
    onConnected(() => void refetchCurrentCall()),
    onEvent(callOffer, (offer) => dispatchCallAction({ type: 'offer', offer, at: now() })),
    onEvent(callOfferFan, () => refresh()),
    onEvent(callRinging, ({ callLogId }) => dispatchCallAction({ type: 'rang', callLogId })),
    onEvent(beginCall, ({ callLogId, device, otherDevice }) => void handleCallBegun(callLogId, [device, otherDevice])),
    onEvent(callStarted, () => refresh()),
    onEvent(callSignalled, receiveSignal),
    onEvent(callClockChanged, ({ callLogId, clock, warnSeconds }) =>
      dispatchCallAction({ type: 'clock', callLogId, clock, warnSeconds, at: now() }),
    ),
    onEvent(callTakenOver, ({ callLogId, userId, device }) => {
      if (userId === id) dispatchCallAction({ type: 'takenOver', callLogId, device, ownDevice });
    }),
    onEvent(callEnded, (endedCall) => {
      dispatchCallAction({ type: 'ended', ended: endedCall });
      refresh();
    }),
    onEvent(callTermsChanged, (terms) => applyTermsChange(client, terms)),
    onEvent(callbackRequested, ({ name }) => {
      void showToast(formatText(texts.callbackRequestToast, { name: isolateText(name) }));
      refresh();
    }),
  ];
  if (isConnected()) void refetchCurrentCall();
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
};
