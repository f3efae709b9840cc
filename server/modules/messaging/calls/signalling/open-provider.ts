import type { Context } from '../../../../platform/context.ts';
import { createLiveKit } from './livekit.ts';
import type { CallProvider } from './provider.ts';
import { createWebRtc } from './webrtc.ts';

const providers = new WeakMap<Context, CallProvider>();

export function getCallProvider(ctx: Context): CallProvider {
  const create = ctx.config.calls.provider === 'livekit' ? createLiveKit : createWebRtc;
  const provider = providers.get(ctx) ?? create(ctx);
  providers.set(ctx, provider);
  return provider;
}
