/**
 * The one call of this tab, independent of pages: its state, its actions, and the timers and connections that run with
 * it.
 */
import { ERRORS } from '@stagedoor/contract/atoms/errors.ts';
import type { PayloadOf } from '@stagedoor/contract/atoms/event.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import type { CallKind } from '@stagedoor/contract/call-states.ts';
import {
  answerCall,
  callRings,
  cancelCall,
  currentCall,
  endCall,
  type OpenCall,
  rejectCall,
  startCall,
} from '@stagedoor/contract/calls.ts';
import { type callSignalled, fanCalling } from '@stagedoor/contract/calls-live.ts';
import { useSyncExternalStore } from 'react';
import { callApi } from '../../kernel/api.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { busyWhile } from '../../kernel/busy.ts';
import { sendSignal } from '../../kernel/live.ts';
import { api } from '../../kernel/mutation.ts';
import { createOperations } from '../../kernel/operations.ts';
import { fetchTransport } from '../../kernel/query.ts';
import { signal } from '../../kernel/signals.ts';
import { deviceName } from './device.ts';
import { closeOwnMedia, openOwnMedia, ownMedia } from './own-media.ts';
import { type CallsState, type CallTarget, callIdOf, type Happening, NOTHING, reduce, type Stage } from './state.ts';
import { openTalk, type Shown, type Talk } from './talk.ts';
import { playTone, playToneOnce } from './tones.ts';

export type Other = { stream: MediaStream | undefined; shown: Shown };
const SILENT: Other = { stream: undefined, shown: { audio: true, video: true } };

let state: CallsState = NOTHING;
let other: Other = SILENT;
let device = '';
let talk: Talk | undefined;
let stopTone = (): void => undefined;
let ringing: ReturnType<typeof setInterval> | undefined;
let over: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const operations = createOperations();

function tellAll(): void {
  for (const listener of listeners) listener();
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useCalls(): CallsState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => NOTHING,
  );
}
export function useOther(): Other {
  return useSyncExternalStore(
    subscribe,
    () => other,
    () => SILENT,
  );
}
export function callsNow(): CallsState {
  return state;
}
busyWhile(() => state.stage.at !== 'none' && state.stage.at !== 'elsewhere');

function changeOther(part: Partial<Other>): void {
  other = { ...other, ...part };
  tellAll();
}

export function happen(happening: Happening): void {
  const before = state.stage;
  state = reduce(state, happening);
  const after = state.stage;
  if (before !== after) follow(before, after);
  if (after.at !== 'none') signal('call');
  tellAll();
}

/** Applies the server's current call. `askedAt` is the time of the request by this tab's clock. */
function hearTold(call: OpenCall | null, askedAt = performance.now()): void {
  happen({ type: 'told', call, device, askedAt, at: performance.now() });
}

async function knowDevice(): Promise<string> {
  device = await deviceName();
  return device;
}

function follow(before: Stage, after: Stage): void {
  if (after.at === 'talking') talk?.setRunning(after.clock.isRunning);
  const isSame = before.at === after.at && callIdOf(before) === callIdOf(after);
  if (isSame) return;
  stopTone();
  stopTone = () => undefined;
  clearInterval(ringing);
  clearTimeout(over);
  if (before.at === 'talking') endTalk();
  if (after.at === 'calling') dial(after.call);
  if (after.at === 'incoming') ring(after.offer.callLogId, after.endsAt);
  if (after.at === 'talking') beginTalk(after.call, after.clock.isRunning);
  if (after.at === 'none' || after.at === 'over' || after.at === 'elsewhere') closeOwnMedia();
}

function dial(call: OpenCall): void {
  const { callLogId, token } = call.session;
  stopTone = playTone('dialing', ownMedia().speaker);
  const say = () => void sendSignal(fanCalling, { callLogId, token, device });
  say();
  ringing = setInterval(say, CALL.heartbeatMs);
  // END_CALL reports an unanswered call. The server is polled in case that event is missed.
  over = setTimeout(() => void askCurrent(), (call.ringLeftMs ?? 0) + 3_000);
  void openOwnMedia(call.kind === 'video');
}

async function ring(callLogId: string, endsAt: number): Promise<void> {
  stopTone = playToneOnce('incoming');
  over = setTimeout(() => happen({ type: 'dropped', callLogId }), Math.max(0, endsAt - performance.now()) + 2_000);
  try {
    const { caller } = await api(callRings, { params: { id: callLogId } }, { showErrorMessage: false });
    happen({ type: 'caller', callLogId, caller });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) happen({ type: 'dropped', callLogId });
  }
}

function beginTalk(call: OpenCall, isRunning: boolean): void {
  other = SILENT;
  void openOwnMedia(call.kind === 'video');
  talk = openTalk(call, device, {
    onTold: hearTold,
    onLost: (at) => happen({ type: 'lost', callLogId: call.session.callLogId, at }),
    onRemote: (stream) => changeOther({ stream }),
    onShown: (shown) => changeOther({ shown }),
    onOver: () => void askCurrent(),
  });
  talk.setRunning(isRunning);
}

function endTalk(): void {
  talk?.close();
  talk = undefined;
  other = SILENT;
}

export function hearSignal(payload: PayloadOf<typeof callSignalled>): void {
  if (callIdOf(state.stage) === payload.callLogId) talk?.hear(payload);
}

export async function askCurrent(): Promise<void> {
  await knowDevice();
  const askedAt = performance.now();
  try {
    const { call } = await api(currentCall, {}, { showErrorMessage: false });
    hearTold(call, askedAt);
  } catch {
    // The next connection repeats the request.
  }
}

export function checkBeforeCall(target: CallTarget, kind: CallKind): void {
  happen({ type: 'check', target, kind });
}

/** Starts a call. Returns the error if the server refuses it. */
export async function startCalling(
  target: CallTarget,
  kind: CallKind,
  amountPerMinute: number,
): Promise<ApiError | undefined> {
  const request = { body: { creatorId: target.creatorId, type: kind, amountPerMinute, device: await knowDevice() } };
  const askedAt = performance.now();
  try {
    const { call, callLogId, reason } = await callApi(fetchTransport, startCall, request, {
      operationId: operations.idFor(request),
    });
    operations.succeeded(request);
    if (call) hearTold(call, askedAt);
    else happen({ type: 'refused', callLogId, reason, target, kind });
    return undefined;
  } catch (error) {
    operations.failed(request, error);
    return error instanceof ApiError ? error : new ApiError('INTERNAL', ERRORS.INTERNAL.words);
  }
}

/** Answers the incoming call. Returns false without a microphone. The reason is in the state of the own media. */
export async function accept(callLogId: string, kind: CallKind): Promise<boolean> {
  const name = await knowDevice();
  await openOwnMedia(kind === 'video');
  if (!ownMedia().microphone) return false;
  const askedAt = performance.now();
  try {
    const call = await api(
      answerCall,
      { params: { id: callLogId }, body: { device: name } },
      { showErrorMessage: false },
    );
    hearTold(call, askedAt);
  } catch (error) {
    await askCurrent();
    if (error instanceof ApiError && error.code === 'NETWORK') throw error;
  }
  return true;
}

/**
 * Tells the server that the call is over, with up to ten tries. If none arrives, the server's timeouts end the call.
 */
async function sayOver(route: typeof endCall | typeof cancelCall | typeof rejectCall, id: string): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    try {
      await api(route, { params: { id } }, { showErrorMessage: false, keepalive: true });
      return;
    } catch (error) {
      if (error instanceof ApiError && error.status !== 0 && error.status < 500) return;
    }
    await new Promise((done) => setTimeout(done, 1_000));
  }
}

export function decline(callLogId: string): void {
  happen({ type: 'dropped', callLogId });
  void sayOver(rejectCall, callLogId);
}

/** Ends or cancels the call. The local state changes immediately, whatever the network does. */
export function hangUp(): void {
  const { stage } = state;
  if (stage.at !== 'calling' && stage.at !== 'talking') return;
  const { callLogId } = stage.call.session;
  const isAnswered = stage.at === 'talking';
  happen({ type: 'ended', ended: { callLogId, reason: isAnswered ? 'hungUp' : 'cancelled' } });
  void sayOver(isAnswered ? endCall : cancelCall, callLogId);
}

export function continueHere(call: OpenCall): void {
  hearTold({ ...call, device });
}

export async function begun(callLogId: string, by: readonly string[]): Promise<void> {
  const name = await knowDevice();
  const { stage } = state;
  if (callIdOf(stage) !== callLogId && !by.includes(name)) return;
  if (stage.at === 'calling' && by.includes(name))
    return hearTold({ ...stage.call, status: 'received', ringLeftMs: null });
  if (stage.at !== 'talking') await askCurrent();
}

export { device as ownDevice };
