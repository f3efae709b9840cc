import type { CallEvent } from '@stagedoor/contract/messaging/call-states.ts';
import type { endCall } from '@stagedoor/contract/messaging/calls.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { getCallProvider } from '../signalling/open-provider.ts';
import * as texts from '../texts.ts';
import { accessCall } from './access.ts';
import { type Call, type CallSide, DEVICE_FIELDS, getReasonFor } from './sides.ts';
import { addTimelineEntry, applyEvent, type CallStep, moveToDevice } from './state-machine.ts';
import { runCallStep } from './step.ts';

type EndCallResponse = ResponseInputOf<typeof endCall>;

async function runOwnStep(
  ctx: Context,
  actor: Actor,
  id: string,
  work: (step: CallStep, side: CallSide) => void,
): Promise<{ call: Call; side: CallSide }> {
  const { side } = await accessCall(ctx.db, actor, id);
  const result = await runCallStep(ctx, id, (step) => work(step, side));
  if (!result) throw new AppError('NOT_FOUND');
  return { call: result.call, side };
}

function createTooLateError(): AppError {
  return new AppError('CONFLICT', { message: texts.callEndedOrAnsweredElsewhere });
}

/** Throws NOT_FOUND, CONFLICT. */
export async function markRinging(ctx: Context, actor: Actor, id: string): Promise<Call> {
  const { call } = await runOwnStep(ctx, actor, id, (step) => {
    if (!applyEvent(step, 'rang')) return;
    addTimelineEntry(step, 'rang', { by: 'creator' });
    step.changes.add('rang');
  });
  if (call.status !== 'ringing') throw createTooLateError();
  return call;
}

/** Idempotent for the device that answered. Throws NOT_FOUND, CONFLICT. */
export async function acceptCall(ctx: Context, actor: Actor, id: string, device: string): Promise<Call> {
  const { call } = await runOwnStep(ctx, actor, id, (step) => {
    if (!applyEvent(step, 'received')) return;
    step.call.creatorDevice = device;
    step.call.answeredAt = step.at;
    step.heartbeats.fan = step.at;
    step.heartbeats.creator = step.at;
    addTimelineEntry(step, 'answered', { by: 'creator' });
    step.changes.add('answered');
  });
  if (call.status !== 'received' || call.creatorDevice !== device) throw createTooLateError();
  return call;
}

/** Idempotent for a finished call. Throws NOT_FOUND. */
export async function finishCall(
  ctx: Context,
  actor: Actor,
  id: string,
  event: Extract<CallEvent, 'reject' | 'cancelled' | 'endCall'>,
): Promise<EndCallResponse> {
  const { call, side } = await runOwnStep(ctx, actor, id, (step, by) => {
    // A creator who ends a ringing call declines it, so that it does not count as missed.
    const isDeclined = event === 'endCall' && by === 'creator' && applyEvent(step, 'reject', { by });
    if (!isDeclined) applyEvent(step, event, { by });
  });
  return { callLogId: id, status: call.status, reason: getReasonFor(call, side) };
}

/**
 * Moves the user to the requesting device. Throws NOT_FOUND, CONFLICT (invalid token, call over or not answered yet).
 */
export async function joinCall(
  ctx: Context,
  actor: Actor,
  id: string,
  { device, token }: { device: string; token: string },
): Promise<{ call: Call; side: CallSide; hasMoved: boolean }> {
  await accessCall(ctx.db, actor, id);
  const callPass = getCallProvider(ctx).read(token, ctx.clock.now());
  if (callPass?.callId !== id || callPass.userId !== actor.userId)
    throw new AppError('CONFLICT', { message: texts.pageOutOfDate });
  let hasMoved = false;
  const { call, side } = await runOwnStep(ctx, actor, id, (step, ownSide) => {
    const currentDevice = step.call[DEVICE_FIELDS[ownSide]];
    // No connection details and no relay are available before the call is answered.
    if (step.call.status !== 'received' || currentDevice === device || currentDevice === null) return;
    hasMoved = true;
    moveToDevice(step, ownSide, device, actor.userId);
  });
  if (call.status !== 'received' || call[DEVICE_FIELDS[side]] !== device) throw createTooLateError();
  return { call, side, hasMoved };
}
