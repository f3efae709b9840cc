/** A pure reducer for this tab's call state. It accepts server events and user actions in any order. */

import type { PayloadOf } from '@stagedoor/contract/atoms/event.ts';
import type { CallKind, CallReason } from '@stagedoor/contract/call-states.ts';
import type { CallClockView, CallerFacts, OpenCall } from '@stagedoor/contract/calls.ts';
import type { callOffer } from '@stagedoor/contract/calls-live.ts';

export type CallTarget = { creatorId: string; username: string; name: string; avatarUrl: string | null };
export type Offer = PayloadOf<typeof callOffer>;
/** A clock reported by the server, with its time of arrival by this tab's monotonic clock. */
export type HeardClock = CallClockView & { heardAt: number };
export type CallEnd = {
  callLogId: string;
  kind: CallKind;
  isOutgoing: boolean;
  other: { id: string; username: string; name: string; avatarUrl: string | null };
  reason: CallReason | null;
  wasAnswered: boolean;
};

export type Stage =
  | { at: 'none' }
  | { at: 'check'; target: CallTarget; kind: CallKind }
  | { at: 'incoming'; offer: Offer; endsAt: number; caller: CallerFacts | undefined }
  | { at: 'calling'; call: OpenCall; isRinging: boolean; endsAt: number }
  | {
      at: 'talking';
      call: OpenCall;
      clock: HeardClock;
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
  stage: Stage;
  isSmall: boolean;
  done: readonly string[];
  /** The call that last rang. Its event may arrive before the response to the start request. */
  rang: string | undefined;
};

export type Happening =
  | { type: 'check'; target: CallTarget; kind: CallKind }
  /** `askedAt`: when the request was sent. A clock event that arrived since then is newer. */
  | { type: 'told'; call: OpenCall | null; device: string; askedAt: number; at: number }
  | { type: 'offer'; offer: Offer; at: number }
  | { type: 'caller'; callLogId: string; caller: CallerFacts }
  | { type: 'rang'; callLogId: string }
  | { type: 'clock'; callLogId: string; clock: CallClockView; warnSeconds: number | null; at: number }
  | { type: 'lost'; callLogId: string; at: number | null }
  | { type: 'ended'; ended: { callLogId: string; reason: CallReason | null } }
  | { type: 'takenOver'; callLogId: string; device: string; ownDevice: string }
  | { type: 'refused'; callLogId: string; reason: CallReason | null; target: CallTarget; kind: CallKind }
  | { type: 'dropped'; callLogId: string }
  | { type: 'warningSeen' }
  | { type: 'small'; isSmall: boolean }
  | { type: 'receipt'; callLogId: string }
  | { type: 'close' };

export const NOTHING: CallsState = { stage: { at: 'none' }, isSmall: false, done: [], rang: undefined };
const KEPT_DONE = 20;

export function callIdOf(stage: Stage): string | undefined {
  if (stage.at === 'incoming') return stage.offer.callLogId;
  if (stage.at === 'over') return stage.end.callLogId;
  if (stage.at === 'receipt') return undefined;
  return stage.at === 'none' || stage.at === 'check' ? undefined : stage.call.session.callLogId;
}

function withDone({ done }: CallsState, id: string): readonly string[] {
  return done.includes(id) ? done : [...done, id].slice(-KEPT_DONE);
}

export function isRunning({ clock, lostAt }: Extract<Stage, { at: 'talking' }>): boolean {
  return clock.isRunning && lostAt === null;
}

type Told = Extract<Happening, { type: 'told' }>;

function stageOf(call: OpenCall, { device, askedAt, at }: Told, { stage: before, rang }: CallsState): Stage {
  const isSame = callIdOf(before) === call.session.callLogId;
  if (call.status === 'received') {
    if (call.device !== device) return { at: 'elsewhere', call };
    const known = isSame && before.at === 'talking' ? before : undefined;
    return {
      at: 'talking',
      call,
      clock: known && known.clock.heardAt > askedAt ? known.clock : { ...call.clock, heardAt: at },
      lostAt: known?.lostAt ?? null,
      hasStarted: known?.hasStarted === true || call.clock.isRunning || call.clock.talkedMs > 0,
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
    ? { at: 'calling', call, isRinging: call.status === 'ringing' || rang === call.session.callLogId, endsAt }
    : { at: 'elsewhere', call };
}

function endOf(stage: Stage, ended: Extract<Happening, { type: 'ended' }>['ended']): CallEnd | undefined {
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

function isBusy({ at }: Stage): boolean {
  return at === 'talking' || at === 'calling' || at === 'incoming';
}

function told(state: CallsState, happening: Told): CallsState {
  const { call } = happening;
  const { stage } = state;
  if (!call) {
    const id = callIdOf(stage);
    if (id === undefined || stage.at === 'over') return state;
    const end = endOf(stage, { callLogId: id, reason: null });
    return { ...state, stage: end ? { at: 'over', end } : { at: 'none' }, done: withDone(state, id) };
  }
  if (state.done.includes(call.session.callLogId)) return state;
  return { ...state, stage: stageOf(call, happening, state) };
}

function ended(state: CallsState, happening: Extract<Happening, { type: 'ended' }>): CallsState {
  const { callLogId } = happening.ended;
  const done = withDone(state, callLogId);
  if (callIdOf(state.stage) !== callLogId) return { ...state, done };
  if (state.stage.at === 'over') return { ...state, done };
  const end = endOf(state.stage, happening.ended);
  return { ...state, stage: end ? { at: 'over', end } : { at: 'none' }, isSmall: false, done };
}

export function reduce(state: CallsState, happening: Happening): CallsState {
  const { stage } = state;
  const isOfThis = 'callLogId' in happening && callIdOf(stage) === happening.callLogId;
  switch (happening.type) {
    case 'check':
      return isBusy(stage)
        ? state
        : { ...state, stage: { at: 'check', target: happening.target, kind: happening.kind } };
    case 'told':
      return told(state, happening);
    case 'offer': {
      const { offer, at } = happening;
      if (state.done.includes(offer.callLogId) || isBusy(stage)) return state;
      return { ...state, stage: { at: 'incoming', offer, endsAt: at + offer.ringLeftMs, caller: undefined } };
    }
    case 'caller':
      return isOfThis && stage.at === 'incoming' ? { ...state, stage: { ...stage, caller: happening.caller } } : state;
    case 'rang':
      return {
        ...state,
        rang: happening.callLogId,
        ...(isOfThis && stage.at === 'calling' && { stage: { ...stage, isRinging: true } }),
      };
    case 'clock': {
      if (!isOfThis || stage.at !== 'talking') return state;
      const { clock, warnSeconds, at } = happening;
      return {
        ...state,
        stage: {
          ...stage,
          clock: { ...clock, heardAt: at },
          hasStarted: stage.hasStarted || clock.isRunning,
          warnSeconds: warnSeconds ?? keptWarning(stage.warnSeconds, clock),
        },
      };
    }
    case 'lost':
      return isOfThis && stage.at === 'talking' ? { ...state, stage: { ...stage, lostAt: happening.at } } : state;
    case 'ended':
      return ended(state, happening);
    case 'takenOver':
      return isOfThis && happening.device !== happening.ownDevice && (stage.at === 'talking' || stage.at === 'calling')
        ? { ...state, stage: { at: 'elsewhere', call: { ...stage.call, device: happening.device } }, isSmall: false }
        : state;
    case 'dropped':
      return { ...state, ...(isOfThis && { stage: { at: 'none' } }), done: withDone(state, happening.callLogId) };
    case 'refused': {
      const { callLogId, reason, target, kind } = happening;
      const other = { id: target.creatorId, username: target.username, name: target.name, avatarUrl: target.avatarUrl };
      const end = { callLogId, kind, isOutgoing: true, other, reason, wasAnswered: false };
      return { ...state, stage: { at: 'over', end }, done: withDone(state, callLogId) };
    }
    case 'warningSeen':
      return stage.at === 'talking' ? { ...state, stage: { ...stage, warnSeconds: null } } : state;
    case 'small':
      return { ...state, isSmall: happening.isSmall };
    case 'receipt':
      return isBusy(stage) ? state : { ...state, stage: { at: 'receipt', callLogId: happening.callLogId } };
    case 'close':
      return isBusy(stage) ? state : { ...state, stage: { at: 'none' }, isSmall: false };
  }
}

/** Keeps a warning until the user dismisses it or money is added. */
function keptWarning(warnSeconds: number | null, { leftMs }: CallClockView): number | null {
  return warnSeconds !== null && leftMs !== null && leftMs <= warnSeconds * 1000 ? warnSeconds : null;
}
