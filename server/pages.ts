import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clearCookies } from './features/accounts/index.ts';
import { countProfileView, framersAt } from './features/profiles/index.ts';
import type { Bound } from './kernel/bind.ts';
import type { Context } from './kernel/context.ts';
import { isEmbed, sessionCookie } from './kernel/http.ts';
import { serveAssets } from './pages/assets.ts';
import { encode } from './pages/encoding.ts';
import { openFrame } from './pages/frame.ts';
import { createKept, framedBy, isForAll, lookOf, mayKeep, sendKept, toKept } from './pages/kept.ts';
import { purgeOnEvents } from './pages/purge.ts';
import { createRenderer, type Rendered, type RenderOptions } from './pages/render.ts';
import { createRenders, isRefused, sendRefused } from './pages/renders.ts';
import { tagsOf } from './pages/tags.ts';

const FORM_BYTES = 64 * 1024;
const KEPT_BYTES = 24 * 1024 * 1024;
const KEPT_MS = 60_000;
const TOO_MANY = 429;

/** A view of a cached profile counts too. Otherwise the API counts it. */
function countView(ctx: Context, request: FastifyRequest): void {
  const [, whose] = /^\/profile\/([\w.-]{1,64})(?:\?|$)/.exec(request.url) ?? [];
  if (whose)
    countProfileView(ctx, { whose, actor: undefined, ip: request.ip, userAgent: request.headers['user-agent'] });
}

async function send(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Rendered,
): Promise<FastifyReply> {
  const policy = reply.getHeader('content-security-policy');
  if (isEmbed(request.url) && typeof policy === 'string')
    reply.header('content-security-policy', framedBy(policy, await framersAt(ctx, request.url)));
  return encode(request, reply, answer);
}

type Needs = { app: FastifyInstance; ctx: Context; bound: Bound };

export async function mountPages({ app, ctx, bound }: Needs): Promise<void> {
  await app.register(async (scope) => {
    const frame = await openFrame(scope, ctx);
    if (!ctx.config.isHotReload) await scope.register((files) => serveAssets(files, frame.clientDir));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_BYTES }, (_request, body, done) =>
      done(null, body),
    );

    const renderer = createRenderer({ app, ctx, frame, bound });
    const renders = createRenders(ctx);
    const render = (request: FastifyRequest, reply: FastifyReply, options: RenderOptions) =>
      renders.within(request, () => renderer(request, reply, options));
    const kept = createKept({ maxBytes: KEPT_BYTES, maxAgeMs: KEPT_MS, now: () => ctx.clock.now().getTime() });
    purgeOnEvents(ctx.events, kept);
    // The site status is on every page, so all cached pages are dropped and it is read again.
    const anew = () => {
      ctx.switches.forget();
      kept.clear();
    };
    ctx.events.everywhere('switch.changed', 'pages.switches', anew, anew);
    const cookieName = sessionCookie(ctx.config);
    const canKeep = !ctx.config.isHotReload;

    /** Renders a shared page once for concurrent requests. The result has no page if it must not be cached. */
    const renderKept = (key: string, path: string, request: FastifyRequest, reply: FastifyReply, isPlaced = false) =>
      kept.once(key, async () => {
        const collected = new Set<string>();
        const statuses = new Set<number>();
        const answer = await render(request, reply, {
          url: path,
          onAnswer: (body, status) => {
            tagsOf(body, collected);
            statuses.add(status);
          },
          isShared: true,
          isPlaced,
        });
        // Only the caller who exceeded a limit is refused, not those who requested the page at the same time.
        if (isRefused(answer) || statuses.has(TOO_MANY)) return {};
        if (!mayKeep(answer, statuses)) return { answer };
        if (!isEmbed(path)) return { page: toKept(answer, collected) };
        // A page cached for all locations must not depend on the location of its first request.
        const framers = () => framersAt(ctx, path);
        return {
          page: toKept(answer, collected, await (isPlaced ? framers() : ctx.places.within(undefined, framers))),
        };
      });

    scope.route({
      method: ['GET', 'POST'],
      url: '/*',
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        // In embeds every viewer is a visitor, so that nothing there can act on behalf of a user.
        const isFramed = isEmbed(request.url);
        const isVisitor = request.method !== 'POST' && (isFramed || request.cookies[cookieName] === undefined);
        if (isVisitor && canKeep) {
          const look = lookOf(isFramed ? {} : request.cookies);
          const here = ctx.places.hereOf(request, undefined);
          const known = kept.get(look + request.url);
          if (known && isForAll(known, here)) {
            countView(ctx, request);
            return sendKept(request, reply, known);
          }
          const path = frame.keptPath(request.url);
          if (path !== undefined) {
            const made = await renderKept(look + path, path, request, reply);
            const isRight = made.page ? isForAll(made.page, here) : !here;
            // Where a creator on the page is hidden, a separate page is cached until the hidden creators change.
            const { page, answer } =
              isRight || !here ? made : await renderKept(`${look}@${here.key}|${path}`, path, request, reply, true);
            if (page) return sendKept(request, reply, page);
            if (answer) return send(ctx, request, reply, answer);
          }
        }
        const answer = await render(request, reply, { isShared: isFramed, isPlaced: true });
        if (isRefused(answer)) return sendRefused(reply, answer);
        if (answer.hasToldEnd) clearCookies(ctx, reply);
        return send(ctx, request, reply, answer);
      },
    });
  });
}
