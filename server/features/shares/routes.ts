import { profilePath } from '@stagedoor/contract/addresses.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import * as contract from '@stagedoor/contract/shares.ts';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import { callerKey } from '../../kernel/http.ts';
import { limitRequests } from '../../kernel/limits.ts';
import { qrSvg } from '../../kernel/qr.ts';
import type { Actor } from '../../kernel/session.ts';
import { areApart } from '../blocks/index.ts';
import { sendStored } from '../media/index.ts';
import { viewProfile } from '../profiles/index.ts';
import { readShown } from './facts.ts';
import { findShare, forgetShares } from './kept.ts';

const READS_A_MINUTE = 120;
/** Shared caches revalidate after five minutes, because content that was taken down must disappear. */
const CACHE = 'public, max-age=31536000, s-maxage=300, immutable';
const VERSION = /^[0-9a-f]{16}$/;
const NAME = /^[\w.-]{1,64}$/;

function forgetOnEvents(ctx: Context): void {
  const of = { lane: 'quick', subject: ({ creatorId }: { creatorId: string }) => `shares:${creatorId}` } as const;
  ctx.events.do('profile.changed', 'shares.forget', of, ({ payload, createdAt }) =>
    forgetShares(ctx, payload.creatorId, null, createdAt),
  );
  ctx.events.do('theme.published', 'shares.forget', of, ({ payload, createdAt }) =>
    forgetShares(ctx, payload.creatorId, null, createdAt),
  );
  ctx.events.do('post.changed', 'shares.forget', of, ({ payload, createdAt }) =>
    forgetShares(ctx, payload.creatorId, payload.postId, createdAt),
  );
  ctx.events.do('post.removed', 'shares.forget', of, ({ payload }) =>
    forgetShares(ctx, payload.creatorId, payload.postId, null),
  );
  ctx.events.do(
    'account.blocked',
    'shares.forget',
    { lane: 'quick', subject: ({ userId }) => `shares:${userId}` },
    ({ payload }) => forgetShares(ctx, payload.userId, null, null),
  );
}

async function viewCard(ctx: Context, actor: Actor): Promise<AnswerOf<typeof contract.profileCard>> {
  const { username, name, craft, city } = await viewProfile(ctx, actor, actor.userId);
  const url = `${ctx.config.publicUrl}${contract.shortPath(username)}`;
  // The code stays readable on a card that was folded or stained.
  const code = await qrSvg(url, { margin: 0, errorCorrectionLevel: 'Q' });
  return { address: url.replace(/^https?:\/\//, ''), url, name, craft, city, qrSvg: code };
}

const orNothing = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });

export function register({ app, ctx, bind }: Server): void {
  forgetOnEvents(ctx);
  const told = async (kind: contract.ShareKind, id: string, actor: Actor | undefined) => {
    const { path, shown } = await readShown(ctx, kind, id);
    if (actor && (await areApart(ctx.db, actor.userId, shown.creatorId))) throw new AppError('NOT_FOUND');
    return { path, ...contract.SHARE_SIZE };
  };
  bind(contract.profileSharePicture, ({ params, actor }) => told('profile', params.id, actor));
  bind(contract.postSharePicture, ({ params, actor }) => told('post', params.id, actor));

  bind(contract.profileCard, ({ actor }) => viewCard(ctx, actor));

  const limit = { name: 'shares', max: Math.ceil(READS_A_MINUTE * ctx.config.rateFactor), windowMs: 60_000 };
  const onRequest = limitRequests(ctx.limits, limit, callerKey);
  for (const kind of contract.SHARE_KINDS)
    app.route<{ Params: { id: string; version: string } }>({
      method: ['GET', 'HEAD'],
      url: contract.sharePicturePath(kind, ':id', ':version'),
      onRequest,
      handler: async (request, reply) => {
        const { id, version } = request.params;
        if (!isId(id) || !VERSION.test(version)) throw new AppError('NOT_FOUND');
        const found = await findShare(ctx, kind, id, version);
        if ('path' in found) return reply.header('cache-control', 'no-store').redirect(found.path, 302);
        return sendStored(ctx, found.key, CACHE, request, reply);
      },
    });
  // Accepts addresses as typed from a card, in any case and with a slash at the end. For an unknown name, the profile
  // page shows the error.
  for (const url of ['/@:name', '/@:name/'])
    app.route<{ Params: { name: string } }>({
      method: ['GET', 'HEAD'],
      url,
      onRequest,
      handler: async (request, reply) => {
        const { name } = request.params;
        const found = NAME.test(name) ? await orNothing(viewProfile(ctx, undefined, name)) : undefined;
        if (!found)
          return reply.header('cache-control', 'no-store').redirect(profilePath(encodeURIComponent(name)), 302);
        return reply.header('cache-control', 'public, max-age=300').redirect(profilePath(found.username), 301);
      },
    });
}
