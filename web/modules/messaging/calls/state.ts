/** A pure reducer for this tab's call state. It accepts server events and user actions in any order. */

import type { CallEndReason, CallKind } from '@stagedoor/contract/messaging/call-states.ts';
import type { CallClockView, CallerSummary, OpenCall } from '@stagedoor/contract/messaging/calls.ts';
import type { callOffer } from '@stagedoor/contract/messaging/calls-events.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';

export type CallTarget = { creatorId: string; username: string; name: string; avatarUrl: string | null };
export type IncomingOffer = PayloadOf<typeof callOffer>;
/** A clock reported by the server, with its time of arrival by this tab's monotonic clock. */
export type ReceivedClock = CallClockView & { receivedAt: number };
export type CallEnd = {
  callLogId: string;
  kind: CallKind;
  isOutgoing: boolean;
  other: { id: string; username: string; name: string; avatarUrl: string | null };
  reason: CallEndReason | null;
  wasAnswered: boolean;
};

export type CallStageState =
  | { at: 'none' }
  | { at: 'check'; target: CallTarget; kind: CallKind }
  | { at: 'incoming'; offer: IncomingOffer; endsAt: number; caller: CallerSummary | undefined }
  | { at: 'calling'; call: OpenCall; isRinging: boolean; endsAt: number }
  | {
      at: 'talking';
      call: OpenCall;
      clock: ReceivedClock;
      /**
       * Since when this tab cannot know whether the clock runs, because the other side or the server is not reachable.
       */
      lostAt: number | null;
      hasStarted: boolean;
      warnSeconds: number | null;
    }
  | { at: 'elsewhere'; call: OpenCall }
  | { at: 'over'; end: CallEnd }
  | { at: 'receipt'; callLogId: string };

export type CallsState = {
  stage: CallStageState;
  isMinimized: boolean;
  endedIds: readonly string[];
  /** The call that last rang. Its event may arrive before the response to the start request. */
  lastRingingCallId: string | undefined;
};

export type CallStateAction =
  | { type: 'check'; target: CallTarget; kind: CallKind }
  /**
   * `requestedAt`: when the request was sent. A clock event that arrived since then is newer. `resumesMinimized`: a call that
   * this tab did not show yet must not cover the page.
   */
  | {
      type: 'serverCall';
      call: OpenCall | null;
      device: string;
      requestedAt: number;
      at: number;
      resumesMinimized?: boolean;
    }
  | { type: 'offer'; offer: IncomingOffer; at: number }
  | { type: 'caller'; callLogId: string; caller: CallerSummary }
  | { type: 'rang'; callLogId: string }
  | { type: 'clock'; callLogId: string; clock: CallClockView; warnSeconds: number | null; at: number }
  | { type: 'lost'; callLogId: string; at: number | null }
  | { type: 'ended'; ended: { callLogId: string; reason: CallEndReason | null } }
  | { type: 'takenOver'; callLogId: string; device: string; ownDevice: string }
  | { type: 'refused'; callLogId: string; reason: CallEndReason | null; target: CallTarget; kind: CallKind }
  | { type: 'dropped'; callLogId: string }
  | { type: 'warningSeen' }
  | { type: 'small'; isMinimized: boolean }
  | { type: 'receipt'; callLogId: string }
  | { type: 'close' };

export const NO_CALL: CallsState = {
  stage: { at: 'none' },
  isMinimized: false,
  endedIds: [],
  lastRingingCallId: undefined,
};
const MAX_ENDED_IDS = 20;

export function findCallId(stage: CallStageState): string | undefined {
  if (stage.at === 'incoming') return stage.offer.callLogId;
  if (stage.at === 'over') return stage.end.callLogId;
  if (stage.at === 'receipt') return undefined;
  return stage.at === 'none' || stage.at === 'check' ? undefined : stage.call.session.callLogId;
}

function addEndedId({ endedIds }: CallsState, id: string): readonly string[] {
  return endedIds.includes(id) ? endedIds : [...endedIds, id].slice(-MAX_ENDED_IDS);
}

export function isRunning({ clock, lostAt }: Extract<CallStageState, { at: 'talking' }>): boolean {
  return clock.isRunning && lostAt === null;
}

type ServerCallAction = Extract<CallStateAction, { type: 'serverCall' }>;

function toStage(
  call: OpenCall,
  { device, requestedAt, at }: ServerCallAction,
  { stage: before, lastRingingCallId }: CallsState,
): CallStageState {
  const isSame = findCallId(before) === call.session.callLogId;
  if (call.status === 'received') {
    if (call.device !== device) return { at: 'elsewhere', call };
    const known = isSame && before.at === 'talking' ? before : undefined;
    return {
      at: 'talking',
      call,
      clock: known && known.clock.receivedAt > requestedAt ? known.clock : { ...call.clock, receivedAt: at },
      lostAt: known?.lostAt ?? null,
      hasStarted: known?.hasStarted === true || call.clock.isRunning || call.clock.connectedMs > 0,
      warnSeconds: known?.warnSeconds ?? null,
    };
  }
  const endsAt = at + (call.ringLeftMs ?? 0);
  if (!call.isOutgoing)
    return {
      at: 'incoming',
      endsAt,
      caller: isSame && before.at === 'incoming' ? before.caller : undefined,
      offer: {
        callLogId: call.session.callLogId,
        customerId: call.other.id,
        contentType: call.kind,
        username: call.other.username,
        name: call.other.name,
        picture: call.other.avatarUrl,
        status: 'ringing',
        session: call.session,
        ringLeftMs: call.ringLeftMs ?? 0,
      },
    };
  return call.device === device
    ? {
        at: 'calling',
        call,
        isRinging: call.status === 'ringing' || lastRingingCallId === call.session.callLogId,
        endsAt,
      }
    : { at: 'elsewhere', call };
}

function toCallEnd(
  stage: CallStageState,
  ended: Extract<CallStateAction, { type: 'ended' }>['ended'],
): CallEnd | undefined {
  if (stage.at !== 'calling' && stage.at !== 'talking') return undefined;
  const { call } = stage;
  return {
    callLogId: ended.callLogId,
    kind: call.kind,
    isOutgoing: call.isOutgoing,
    other: call.other,
    reason: ended.reason,
    wasAnswered: stage.at === 'talking',
  };
}

function isBusy({ at }: CallStageState): boolean {
  return at === 'talking' || at === 'calling' || at === 'incoming';
}

function reduceServerCall(state: CallsState, action: ServerCallAction): CallsState {
  const { call } = action;
  const { stage } = state;
  if (!call) {
    const id = findCallId(stage);
    if (id === undefined || stage.at === 'over') return state;
    const end = toCallEnd(stage, { callLogId: id, reason: null });
    return { ...state, stage: end ? { at: 'over', end } : { at: 'none' }, endedIds: addEndedId(state, id) };
  }
  if (state.endedIds.includes(call.session.callLogId)) return state;
  const next = toStage(call, action, state);
  // A call that was minimized while it rang opens when it is answered, because it costs money from then on.
  const isAnswer = stage.at === 'calling' && next.at === 'talking';
  const resumesMinimized = stage.at === 'none' && action.resumesMinimized === true;
  return { ...state, stage: next, isMinimized: (state.isMinimized && !isAnswer) || resumesMinimized };
}

function reduceEnd(state: CallsState, action: Extract<CallStateAction, { type: 'ended' }>): CallsState {
  const { callLogId } = action.ended;
  const endedIds = addEndedId(state, callLogId);
  if (findCallId(state.stage) !== callLogId) return { ...state, endedIds };
  if (state.stage.at === 'over') return { ...state, endedIds };
  const end = toCallEnd(state.stage, action.ended);
  return { ...state, stage: end ? { at: 'over', end } : { at: 'none' }, isMinimized: false, endedIds };
}

export function reduceCalls(state: CallsState, action: CallStateAction): CallsState {
  const { stage } = state;
  const isCurrentCall = 'callLogId' in action && findCallId(stage) === action.callLogId;
  switch (action.type) {
    case 'check':
      return isBusy(stage) ? state : { ...state, stage: { at: 'check', target: action.target, kind: action.kind } };
    case 'serverCall':
      return reduceServerCall(state, action);
    case 'offer': {
      const { offer, at } = action;
      if (state.endedIds.includes(offer.callLogId) || isBusy(stage)) return state;
      return { ...state, stage: { at: 'incoming', offer, endsAt: at + offer.ringLeftMs, caller: undefined } };
    }
    case 'caller':
      return isCurrentCall && stage.at === 'incoming'
        ? { ...state, stage: { ...stage, caller: action.caller } }
        : state;
    case 'rang':
      return {
        ...state,
        lastRingingCallId: action.callLogId,
        ...(isCurrentCall && stage.at === 'calling' && { stage: { ...stage, isRinging: true } }),
      };
    case 'clock': {
      if (!isCurrentCall || stage.at !== 'talking') return state;
      const { clock, warnSeconds, at } = action;
      return {
        ...state,
        stage: {
          ...stage,
          clock: { ...clock, receivedAt: at },
          hasStarted: stage.hasStarted || clock.isRunning,
          warnSeconds: warnSeconds ?? findActiveWarning(stage.warnSeconds, clock),
        },
      };
    }
    case 'lost':
      return isCurrentCall && stage.at === 'talking' ? { ...state, stage: { ...stage, lostAt: action.at } } : state;
    case 'ended':
      return reduceEnd(state, action);
    case 'takenOver':
      return isCurrentCall && action.device !== action.ownDevice && (stage.at === 'talking' || stage.at === 'calling')
        ? { ...state, stage: { at: 'elsewhere', call: { ...stage.call, device: action.device } }, isMinimized: false }
        : state;
    case 'dropped':
      return {
        ...state,
        ...(isCurrentCall && { stage: { at: 'none' } }),
        endedIds: addEndedId(state, action.callLogId),
      };
    case 'refused': {
      const { callLogId, reason, target, kind } = action;
      const other = { id: target.creatorId, username: target.username, name: target.name, avatarUrl: target.avatarUrl };
      const end = { callLogId, kind, isOutgoing: true, other, reason, wasAnswered: false };
      return { ...state, stage: { at: 'over', end }, endedIds: addEndedId(state, callLogId) };
    }
    case 'warningSeen':
      return stage.at === 'talking' ? { ...state, stage: { ...stage, warnSeconds: null } } : state;
    case 'small':
      return { ...state, isMinimized: action.isMinimized };
    case 'receipt':
      return isBusy(stage) ? state : { ...state, stage: { at: 'receipt', callLogId: action.callLogId } };
    case 'close':
      return isBusy(stage) ? state : { ...state, stage: { at: 'none' }, isMinimized: false };
  }
}

/** Keeps a warning until the user dismisses it or money is added. */
function findActiveWarning(warnSeconds: number | null, { leftMs }: CallClockView): number | null {
  return warnSeconds !== null && leftMs !== null && leftMs <= warnSeconds * 1000 ? warnSeconds : null;
}
