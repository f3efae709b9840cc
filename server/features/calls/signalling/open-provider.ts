/** The provider that the operator chose; one for each context. */
import type { Context } from '../../../kernel/context.ts';
import type { CallProvider } from './provider.ts';
import { createWebRtc } from './webrtc.ts';

const providers = new WeakMap<Context, CallProvider>();

export function providerOf(ctx: Context): CallProvider {
  const known = providers.get(ctx) ?? createWebRtc(ctx.config, ctx.log);
  providers.set(ctx, known);
  return known;
}
