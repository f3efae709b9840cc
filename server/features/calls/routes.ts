import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import type { BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { isOpen } from '@stagedoor/contract/call-states.ts';
import * as contract from '@stagedoor/contract/calls.ts';
import * as desk from '@stagedoor/contract/calls-desk.ts';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { registerMovedCalls } from '../wallet/index.ts';
import { registerCallPart } from './archive.ts';
import { openCallOf } from './call/access.ts';
import { begin, wishOf } from './call/begin.ts';
import { sideOf } from './call/sides.ts';
import { answer, finish, join, ring } from './call/verbs.ts';
import { viewCaller, viewOpen } from './call/view.ts';
import { createMetering } from './clock/metering.ts';
import { registerCallClosing } from './closing.ts';
import { listDesk, stopByOperator } from './desk.ts';
import { askBack, countMissed, listCalls, seeMissed } from './history/lists.ts';
import { callsOfTransactions } from './history/movements.ts';
import { viewReceipt } from './history/receipt.ts';
import { learnBusy, registerReactions } from './reactions.ts';
import { providerOf } from './signalling/open-provider.ts';
import { createKnown, listen } from './signalling/relay.ts';
import { registerWebhook } from './signalling/webhook.ts';
import { changeSettings, setAvailable, viewSettings, viewTerms } from './terms/terms.ts';

const RENEW_SECONDS = CALL.credentialSeconds / 2;

async function viewCurrent(ctx: Context, actor: Actor) {
  const call = await openCallOf(ctx.db, actor.userId);
  const side = call && sideOf(call, actor.userId);
  return { call: call && side ? await viewOpen(ctx, call, side) : null };
}

async function connect(ctx: Context, actor: Actor, id: string, body: BodyOf<typeof contract.connectCall>) {
  const { call, side, hasMoved } = await join(ctx, actor, id, body);
  const pass = { callId: id, side, userId: actor.userId };
  if (hasMoved) await providerOf(ctx).remove(id, actor.userId);
  return {
    call: await viewOpen(ctx, call, side),
    // Perfect negotiation of WebRTC: the creator is the polite peer when both sides send an offer.
    isPolite: side === 'creator',
    ...providerOf(ctx).credentials(pass, ctx.clock.now()),
    renewAfterSeconds: RENEW_SECONDS,
  };
}

export async function register({ app, ctx, bind }: Server): Promise<void> {
  registerCallClosing(ctx);
  registerCallPart(ctx);
  registerMovedCalls(ctx, callsOfTransactions);
  const known = createKnown(ctx);
  const metering = createMetering(ctx);
  app.addHook('onReady', () => learnBusy(ctx));
  // Metering starts when the server listens, because the demo data uses another clock before.
  app.addHook('onListen', async () => metering.begin());
  app.addHook('onClose', () => metering.stop());
  registerReactions(ctx, known, metering.wake);
  listen(ctx, known);
  if (ctx.config.calls.provider === 'livekit') await registerWebhook(app, ctx);

  bind(contract.getCallSettings, ({ actor }) => viewSettings(ctx, actor));
  bind(contract.updateCallSettings, ({ actor, body }) => changeSettings(ctx, actor, body));
  bind(contract.setCallAvailability, ({ actor, body }) => setAvailable(ctx, actor, body.isAvailable));
  bind(contract.getCallTerms, ({ actor, params }) => viewTerms(ctx, actor, params.id));

  bind(contract.startCall, async ({ actor, body, operationId }) => {
    const call = await begin(ctx, actor, wishOf(body), operationId);
    return {
      call: isOpen(call.status) ? await viewOpen(ctx, call, 'fan') : null,
      callLogId: call.id,
      reason: call.reason,
    };
  });
  bind(contract.callRings, async ({ actor, params }) => ({
    caller: await viewCaller(ctx, await ring(ctx, actor, params.id)),
  }));
  bind(contract.answerCall, async ({ actor, params, body }) =>
    viewOpen(ctx, await answer(ctx, actor, params.id, body.device), 'creator'),
  );
  bind(contract.rejectCall, ({ actor, params }) => finish(ctx, actor, params.id, 'reject'));
  bind(contract.cancelCall, ({ actor, params }) => finish(ctx, actor, params.id, 'cancelled'));
  bind(contract.endCall, ({ actor, params }) => finish(ctx, actor, params.id, 'endCall'));
  bind(contract.currentCall, ({ actor }) => viewCurrent(ctx, actor));
  bind(contract.connectCall, ({ actor, params, body }) => connect(ctx, actor, params.id, body));

  bind(desk.listDeskCalls, ({ query }) => listDesk(ctx, query));
  bind(desk.stopCall, ({ actor, params, body }) => stopByOperator(ctx, actor, params.id, body.ground));

  bind(contract.callHistory, ({ actor, query }) => listCalls(ctx, actor, query));
  bind(contract.getCallLog, ({ actor, params }) => viewReceipt(ctx, actor, params.id));
  bind(contract.askCallBack, ({ actor, params }) => askBack(ctx, actor, params.id));
  bind(contract.missedCalls, ({ actor }) => countMissed(ctx, actor));
  bind(contract.seeMissedCalls, ({ actor }) => seeMissed(ctx, actor));
}
