import * as adminCalls from '@stagedoor/contract/admin/calls.ts';
import { isCallOpen } from '@stagedoor/contract/messaging/call-states.ts';
import * as contract from '@stagedoor/contract/messaging/calls.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { registerCallFinder, registerCallFunds } from '../../finance/wallet/index.ts';
import { registerCallDeletion } from './account-deletion.ts';
import { stopByOperator, viewAdminCalls } from './admin.ts';
import { findOpenCall } from './call/access.ts';
import { acceptCall, finishCall, joinCall, markRinging } from './call/actions.ts';
import { findCallSide } from './call/sides.ts';
import { placeCall, toCallStartInput } from './call/start.ts';
import { createCallFunds } from './call/tips.ts';
import { viewCaller, viewOpenCall } from './call/view.ts';
import { createMetering } from './clock/metering.ts';
import { registerCallExport } from './data-export.ts';
import { loadBusyUsers, registerCallEventHandlers } from './handlers.ts';
import { listCallsByTransaction } from './history/calls-by-transaction.ts';
import { countMissed, createCallbackRequest, listCalls, markMissedSeen } from './history/lists.ts';
import { viewCallReceipt } from './history/receipt.ts';
import { getCallProvider } from './signalling/open-provider.ts';
import { createCallCache, registerCallSignals } from './signalling/relay.ts';
import { registerLiveKitWebhook } from './signalling/webhook.ts';
import { changeSettings, setAvailable, viewCallTerms, viewSettings } from './terms/call-settings.ts';

const RENEW_SECONDS = CALL_LIMITS.credentialSeconds / 2;

async function viewCurrentCall(ctx: Context, actor: Actor) {
  const call = await findOpenCall(ctx.db, actor.userId);
  const side = call && findCallSide(call, actor.userId);
  return { call: call && side ? await viewOpenCall(ctx, call, side) : null };
}

async function connectDevice(ctx: Context, actor: Actor, id: string, body: BodyOf<typeof contract.connectCall>) {
  const { call, side, hasMoved } = await joinCall(ctx, actor, id, body);
  const callPass = { callId: id, side, userId: actor.userId };
  if (hasMoved) await getCallProvider(ctx).remove(id, actor.userId);
  return {
    call: await viewOpenCall(ctx, call, side),
    // Perfect negotiation of WebRTC: the creator is the polite peer when both sides send an offer.
    isPolite: side === 'creator',
    ...getCallProvider(ctx).credentials(callPass, ctx.clock.now()),
    renewAfterSeconds: RENEW_SECONDS,
  };
}

export async function register({ app, ctx, bind }: ModuleHost): Promise<void> {
  registerCallDeletion(ctx);
  registerCallExport(ctx);
  registerCallFinder(ctx, listCallsByTransaction);
  registerCallFunds(ctx, createCallFunds(ctx));
  const callCache = createCallCache(ctx);
  const metering = createMetering(ctx);
  app.addHook('onReady', () => loadBusyUsers(ctx));
  // Metering starts when the server listens, because the demo data uses another clock before.
  app.addHook('onListen', async () => metering.start());
  app.addHook('onClose', () => metering.stop());
  registerCallEventHandlers(ctx, callCache, metering.wake);
  registerCallSignals(ctx, callCache);
  if (ctx.config.calls.provider === 'livekit') await registerLiveKitWebhook(app, ctx);

  bind(contract.getCallSettings, ({ actor }) => viewSettings(ctx, actor));
  bind(contract.updateCallSettings, ({ actor, body }) => changeSettings(ctx, actor, body));
  bind(contract.setCallAvailability, ({ actor, body }) => setAvailable(ctx, actor, body.isAvailable));
  bind(contract.getCallTerms, ({ actor, params }) => viewCallTerms(ctx, actor, params.id));

  bind(contract.startCall, async ({ actor, body, operationId }) => {
    const call = await placeCall(ctx, actor, toCallStartInput(body), operationId);
    return {
      call: isCallOpen(call.status) ? await viewOpenCall(ctx, call, 'fan') : null,
      callLogId: call.id,
      reason: call.reason,
    };
  });
  bind(contract.reportCallRinging, async ({ actor, params }) => ({
    caller: await viewCaller(ctx, await markRinging(ctx, actor, params.id)),
  }));
  bind(contract.answerCall, async ({ actor, params, body }) =>
    viewOpenCall(ctx, await acceptCall(ctx, actor, params.id, body.device), 'creator'),
  );
  bind(contract.rejectCall, ({ actor, params }) => finishCall(ctx, actor, params.id, 'reject'));
  bind(contract.cancelCall, ({ actor, params }) => finishCall(ctx, actor, params.id, 'cancelled'));
  bind(contract.endCall, ({ actor, params }) => finishCall(ctx, actor, params.id, 'endCall'));
  bind(contract.getCurrentCall, ({ actor }) => viewCurrentCall(ctx, actor));
  bind(contract.connectCall, ({ actor, params, body }) => connectDevice(ctx, actor, params.id, body));

  bind(adminCalls.listAdminCalls, ({ query }) => viewAdminCalls(ctx, query));
  bind(adminCalls.stopCall, ({ actor, params, body }) => stopByOperator(ctx, actor, params.id, body.reason));

  bind(contract.listCallLogs, ({ actor, query }) => listCalls(ctx, actor, query));
  bind(contract.getCallLog, ({ actor, params }) => viewCallReceipt(ctx, actor, params.id));
  bind(contract.requestCallback, ({ actor, params }) => createCallbackRequest(ctx, actor, params.id));
  bind(contract.countMissedCalls, ({ actor }) => countMissed(ctx, actor));
  bind(contract.markMissedCallsSeen, ({ actor }) => markMissedSeen(ctx, actor));
}
