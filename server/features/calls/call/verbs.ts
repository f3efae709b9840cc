import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { CallEvent } from '@stagedoor/contract/call-states.ts';
import type { endCall } from '@stagedoor/contract/calls.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Actor } from '../../../kernel/session.ts';
import { providerOf } from '../signalling/open-provider.ts';
import { accessCall } from './access.ts';
import { happen, mark, type Turn, takeOver } from './course.ts';
import { type Call, DEVICE, reasonFor, type Side } from './sides.ts';
import { take } from './turn.ts';

type Over = AnswerOf<typeof endCall>;

async function takeOwn(
  ctx: Context,
  actor: Actor,
  id: string,
  work: (turn: Turn, side: Side) => void,
): Promise<{ call: Call; side: Side }> {
  const { side } = await accessCall(ctx.db, actor, id);
  const taken = await take(ctx, id, (turn) => work(turn, side));
  if (!taken) throw new AppError('NOT_FOUND');
  return { call: taken.call, side };
}

function tooLate(): AppError {
  return new AppError('CONFLICT', { message: 'This call has ended or was answered on another device.' });
}

/** Throws NOT_FOUND, CONFLICT. */
export async function ring(ctx: Context, actor: Actor, id: string): Promise<Call> {
  const { call } = await takeOwn(ctx, actor, id, (turn) => {
    if (!happen(turn, 'rang')) return;
    mark(turn, 'rang', { by: 'creator' });
    turn.news.add('rang');
  });
  if (call.status !== 'ringing') throw tooLate();
  return call;
}

/** Idempotent for the device that answered. Throws NOT_FOUND, CONFLICT. */
export async function answer(ctx: Context, actor: Actor, id: string, device: string): Promise<Call> {
  const { call } = await takeOwn(ctx, actor, id, (turn) => {
    if (!happen(turn, 'received')) return;
    turn.call.creatorDevice = device;
    turn.call.answeredAt = turn.at;
    turn.heard.fan = turn.at;
    turn.heard.creator = turn.at;
    mark(turn, 'answered', { by: 'creator' });
    turn.news.add('answered');
  });
  if (call.status !== 'received' || call.creatorDevice !== device) throw tooLate();
  return call;
}

/** Idempotent for a finished call. Throws NOT_FOUND. */
export async function finish(
  ctx: Context,
  actor: Actor,
  id: string,
  event: Extract<CallEvent, 'reject' | 'cancelled' | 'endCall'>,
): Promise<Over> {
  const { call, side } = await takeOwn(ctx, actor, id, (turn, by) => {
    // A creator who ends a ringing call declines it, so that it does not count as missed.
    const isDeclined = event === 'endCall' && by === 'creator' && happen(turn, 'reject', { by });
    if (!isDeclined) happen(turn, event, { by });
  });
  return { callLogId: id, status: call.status, reason: reasonFor(call, side) };
}

/**
 * Moves the user to the requesting device. Throws NOT_FOUND, CONFLICT (invalid token, call over or not answered yet).
 */
export async function join(
  ctx: Context,
  actor: Actor,
  id: string,
  { device, token }: { device: string; token: string },
): Promise<{ call: Call; side: Side; hasMoved: boolean }> {
  await accessCall(ctx.db, actor, id);
  const pass = providerOf(ctx).read(token, ctx.clock.now());
  if (pass?.callId !== id || pass.userId !== actor.userId)
    throw new AppError('CONFLICT', { message: 'This page is out of date. Reload it.' });
  let hasMoved = false;
  const { call, side } = await takeOwn(ctx, actor, id, (turn, own) => {
    const known = turn.call[DEVICE[own]];
    // No connection details and no relay are available before the call is answered.
    if (turn.call.status !== 'received' || known === device || known === null) return;
    hasMoved = true;
    takeOver(turn, own, device, actor.userId);
  });
  if (call.status !== 'received' || call[DEVICE[side]] !== device) throw tooLate();
  return { call, side, hasMoved };
}
