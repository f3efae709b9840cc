/**
 * The pages, rendered by the web package's build inside this server. Visitors' public pages are kept in memory and answered
 * from there; everybody else's are rendered for them.
 */
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
/** Some 1,500 pages. */
const KEPT_BYTES = 24 * 1024 * 1024;
/** Safety net for what no event tells. */
const KEPT_MS = 60_000;
const TOO_MANY = 429;

/** A profile that is answered from memory was looked at all the same; otherwise the API counts it. */
function countView(ctx: Context, request: FastifyRequest): void {
  const [, whose] = /^\/profile\/([\w.-]{1,64})(?:\?|$)/.exec(request.url) ?? [];
  if (whose)
    countProfileView(ctx, { whose, actor: undefined, ip: request.ip, userAgent: request.headers['user-agent'] });
}

/** Answers what is not kept; a frame names in its policy who may show it. */
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
    // What is stopped stands on every page; the next is rendered by what holds from now on.
    const anew = () => {
      ctx.switches.forget();
      kept.clear();
    };
    ctx.events.everywhere('switch.changed', 'pages.switches', anew, anew);
    const cookieName = sessionCookie(ctx.config);
    const canKeep = !ctx.config.isHotReload;

    /** Renders for everybody alike, once however many ask. Undefined: this answer is not to be kept. */
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
        // Whose pages or calls are used up for this minute is refused alone, and not whoever asked at the same time.
        if (isRefused(answer) || statuses.has(TOO_MANY)) return {};
        if (!mayKeep(answer, statuses)) return { answer };
        if (!isEmbed(path)) return { page: toKept(answer, collected) };
        // What is kept for everybody is not of the place where it was first asked for.
        const framers = () => framersAt(ctx, path);
        return {
          page: toKept(answer, collected, await (isPlaced ? framers() : ctx.places.within(undefined, framers))),
        };
      });

    scope.route({
      method: ['GET', 'POST'],
      url: '/*',
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        // In other sites' frames everybody is a visitor: nothing there may act in anybody's name.
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
            // Where somebody is hidden who is on it, the page is another, kept beside it until somebody else is hidden.
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
