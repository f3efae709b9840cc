/**
 * The one call of this tab, independent of pages: its state, its actions, and the timers and connections that run with
 * it.
 */

import type { CallKind } from '@stagedoor/contract/messaging/call-states.ts';
import {
  answerCall,
  cancelCall,
  endCall,
  getCurrentCall,
  type OpenCall,
  rejectCall,
  reportCallRinging,
  startCall,
} from '@stagedoor/contract/messaging/calls.ts';
import { type callSignalled, fanCalling } from '@stagedoor/contract/messaging/calls-events.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { ERRORS } from '@stagedoor/contract/shared/errors.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useSyncExternalStore } from 'react';
import { callApi } from '../../../platform/api.ts';
import { ApiError } from '../../../platform/api-error.ts';
import { api } from '../../../platform/mutation.ts';
import { createOperationIds } from '../../../platform/operation-ids.ts';
import { fetchTransport } from '../../../platform/query.ts';
import { blockReloadWhile } from '../../../platform/reload-guard.ts';
import { emitSignal } from '../../../platform/signals.ts';
import { sendSignal } from '../../../platform/socket-events.ts';
import { type ActiveMedia, type CallConnection, openCallConnection } from './call-connection.ts';
import { getOwnDeviceId } from './device-session.ts';
import { closeOwnMedia, getOwnMedia, openOwnMedia } from './own-media.ts';
import {
  type CallStageState,
  type CallStateAction,
  type CallsState,
  type CallTarget,
  findCallId,
  NO_CALL,
  reduceCalls,
} from './state.ts';
import { playTone, playToneOnce } from './tones.ts';

export type OtherSide = { stream: MediaStream | undefined; activeMedia: ActiveMedia };
const NO_OTHER_SIDE: OtherSide = { stream: undefined, activeMedia: { audio: true, video: true } };

let state: CallsState = NO_CALL;
let otherSide: OtherSide = NO_OTHER_SIDE;
let device = '';
let connection: CallConnection | undefined;
let stopTone = (): void => undefined;
let ringTimer: ReturnType<typeof setInterval> | undefined;
let timeoutTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const operations = createOperationIds();

function notifyListeners(): void {
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
    () => NO_CALL,
  );
}
export function useOtherSide(): OtherSide {
  return useSyncExternalStore(
    subscribe,
    () => otherSide,
    () => NO_OTHER_SIDE,
  );
}
export function getCallsState(): CallsState {
  return state;
}
blockReloadWhile(() => state.stage.at !== 'none' && state.stage.at !== 'elsewhere');

function updateOtherSide(part: Partial<OtherSide>): void {
  otherSide = { ...otherSide, ...part };
  notifyListeners();
}

export function dispatchCallAction(action: CallStateAction): void {
  const before = state.stage;
  state = reduceCalls(state, action);
  const after = state.stage;
  if (before !== after) runStageEffects(before, after);
  if (after.at !== 'none') emitSignal('call');
  notifyListeners();
}

/** Applies the server's current call. `requestedAt` is the time of the request by this tab's clock. */
function applyServerCall(call: OpenCall | null, requestedAt = performance.now()): void {
  // On the wallet's pages a call that resumes after a payment leaves the result of the payment in view.
  const resumesMinimized = location.pathname.startsWith(PATHS.fanWallet);
  dispatchCallAction({ type: 'serverCall', call, device, requestedAt, at: performance.now(), resumesMinimized });
}

async function loadDevice(): Promise<string> {
  device = await getOwnDeviceId();
  return device;
}

function runStageEffects(before: CallStageState, after: CallStageState): void {
  if (after.at === 'talking') connection?.setRunning(after.clock.isRunning);
  const isSame = before.at === after.at && findCallId(before) === findCallId(after);
  if (isSame) return;
  stopTone();
  stopTone = () => undefined;
  clearInterval(ringTimer);
  clearTimeout(timeoutTimer);
  if (before.at === 'talking') closeConnection();
  if (after.at === 'calling') startDialing(after.call);
  if (after.at === 'incoming') startRinging(after.offer.callLogId, after.endsAt);
  if (after.at === 'talking') openConnection(after.call, after.clock.isRunning);
  if (after.at === 'none' || after.at === 'over' || after.at === 'elsewhere') closeOwnMedia();
}

function startDialing(call: OpenCall): void {
  const { callLogId, token } = call.session;
  stopTone = playTone('dialing', getOwnMedia().speaker);
  const sendCalling = () => void sendSignal(fanCalling, { callLogId, token, device });
  sendCalling();
  ringTimer = setInterval(sendCalling, CALL_LIMITS.heartbeatMs);
  // END_CALL reports an unanswered call. The server is polled in case that event is missed.
  timeoutTimer = setTimeout(() => void refetchCurrentCall(), (call.ringLeftMs ?? 0) + 3_000);
  void openOwnMedia(call.kind === 'video');
}

async function startRinging(callLogId: string, endsAt: number): Promise<void> {
  stopTone = playToneOnce('incoming');
  timeoutTimer = setTimeout(
    () => dispatchCallAction({ type: 'dropped', callLogId }),
    Math.max(0, endsAt - performance.now()) + 2_000,
  );
  try {
    const { caller } = await api(reportCallRinging, { params: { id: callLogId } }, { showErrorMessage: false });
    dispatchCallAction({ type: 'caller', callLogId, caller });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) dispatchCallAction({ type: 'dropped', callLogId });
  }
}

function openConnection(call: OpenCall, isRunning: boolean): void {
  otherSide = NO_OTHER_SIDE;
  void openOwnMedia(call.kind === 'video');
  connection = openCallConnection(call, device, {
    onServerCall: applyServerCall,
    onLost: (at) => dispatchCallAction({ type: 'lost', callLogId: call.session.callLogId, at }),
    onRemote: (stream) => updateOtherSide({ stream }),
    onActiveMedia: (activeMedia) => updateOtherSide({ activeMedia }),
    onOver: () => void refetchCurrentCall(),
  });
  connection.setRunning(isRunning);
}

function closeConnection(): void {
  connection?.close();
  connection = undefined;
  otherSide = NO_OTHER_SIDE;
}

export function receiveSignal(payload: PayloadOf<typeof callSignalled>): void {
  if (findCallId(state.stage) === payload.callLogId) connection?.receiveSignal(payload);
}

export async function refetchCurrentCall(): Promise<void> {
  await loadDevice();
  const requestedAt = performance.now();
  try {
    const { call } = await api(getCurrentCall, {}, { showErrorMessage: false });
    applyServerCall(call, requestedAt);
  } catch {
    // The next connection repeats the request.
  }
}

export function openDeviceCheck(target: CallTarget, kind: CallKind): void {
  dispatchCallAction({ type: 'check', target, kind });
}

/** Starts a call. Returns the error if the server refuses it. */
export async function placeCall(
  target: CallTarget,
  kind: CallKind,
  amountPerMinute: number,
): Promise<ApiError | undefined> {
  const request = { body: { creatorId: target.creatorId, type: kind, amountPerMinute, device: await loadDevice() } };
  const requestedAt = performance.now();
  try {
    const { call, callLogId, reason } = await callApi(fetchTransport, startCall, request, {
      operationId: operations.getId(request),
    });
    operations.markSucceeded(request);
    if (call) applyServerCall(call, requestedAt);
    else dispatchCallAction({ type: 'refused', callLogId, reason, target, kind });
    return undefined;
  } catch (error) {
    operations.markFailed(request, error);
    return error instanceof ApiError ? error : new ApiError('INTERNAL', ERRORS.INTERNAL.message);
  }
}

/** Answers the incoming call. Returns false without a microphone. The reason is in the state of the own media. */
export async function acceptIncomingCall(callLogId: string, kind: CallKind): Promise<boolean> {
  const deviceId = await loadDevice();
  await openOwnMedia(kind === 'video');
  if (!getOwnMedia().microphone) return false;
  const requestedAt = performance.now();
  try {
    const call = await api(
      answerCall,
      { params: { id: callLogId }, body: { device: deviceId } },
      { showErrorMessage: false },
    );
    applyServerCall(call, requestedAt);
  } catch (error) {
    await refetchCurrentCall();
    if (error instanceof ApiError && error.code === 'NETWORK') throw error;
  }
  return true;
}

/**
 * Reports the end of the call to the server, with up to ten tries. If none arrives, the server's timeouts end the call.
 */
async function reportCallEnd(route: typeof endCall | typeof cancelCall | typeof rejectCall, id: string): Promise<void> {
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

export function declineIncomingCall(callLogId: string): void {
  dispatchCallAction({ type: 'dropped', callLogId });
  void reportCallEnd(rejectCall, callLogId);
}

/** Ends or cancels the call. The local state changes immediately, whatever the network does. */
export function endCurrentCall(): void {
  const { stage } = state;
  if (stage.at !== 'calling' && stage.at !== 'talking') return;
  const { callLogId } = stage.call.session;
  const isAnswered = stage.at === 'talking';
  dispatchCallAction({ type: 'ended', ended: { callLogId, reason: isAnswered ? 'hungUp' : 'cancelled' } });
  void reportCallEnd(isAnswered ? endCall : cancelCall, callLogId);
}

export function continueCallHere(call: OpenCall): void {
  applyServerCall({ ...call, device });
}

export async function handleCallBegun(callLogId: string, devices: readonly string[]): Promise<void> {
  const deviceId = await loadDevice();
  const { stage } = state;
  if (findCallId(stage) !== callLogId && !devices.includes(deviceId)) return;
  if (stage.at === 'calling' && devices.includes(deviceId))
    return applyServerCall({ ...stage.call, status: 'received', ringLeftMs: null });
  if (stage.at !== 'talking') await refetchCurrentCall();
}

export { device as ownDevice };
