import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { countProfileView, getFrameAncestors } from './modules/content/profiles/index.ts';
import { clearCookies } from './modules/identity/accounts/index.ts';
import { serveAssets } from './pages/assets.ts';
import { registerCacheInvalidation } from './pages/cache-invalidation.ts';
import type { RenderedPage } from './pages/encoding.ts';
import { sendEncoded } from './pages/encoding.ts';
import { openFrame } from './pages/frame.ts';
import {
  canCache,
  createPageCache,
  isVisibleAt,
  replaceFramers,
  sendCachedPage,
  toCachedPage,
  toVaryKey,
} from './pages/page-cache.ts';
import { createRenderer, findPageActor, type RenderOptions } from './pages/render.ts';
import { createRenderLimits, isRefusedRender, sendRefusedRender } from './pages/render-limits.ts';
import { collectTags, hasRefusedCode } from './pages/tags.ts';
import type { Context } from './platform/context.ts';
import { getSessionCookieName, isEmbed } from './platform/http/http.ts';
import type { BoundRoutes } from './platform/http/routing.ts';

const FORM_BYTES = 64 * 1024;
const CACHE_BYTES = 24 * 1024 * 1024;
const CACHE_TTL_MS = 60_000;
const TOO_MANY_REQUESTS = 429;

/** A view of a cached profile counts too. Otherwise the API counts it. */
function countView(ctx: Context, request: FastifyRequest): void {
  const [, username] = /^\/profile\/([\w.-]{1,64})(?:\?|$)/.exec(request.url) ?? [];
  if (username)
    countProfileView(ctx, {
      idOrName: username,
      actor: undefined,
      ip: request.ip,
      userAgent: request.headers['user-agent'],
    });
}

async function send(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  response: RenderedPage,
): Promise<FastifyReply> {
  const policy = reply.getHeader('content-security-policy');
  if (isEmbed(request.url) && typeof policy === 'string')
    reply.header('content-security-policy', replaceFramers(policy, await getFrameAncestors(ctx, request.url)));
  return sendEncoded(request, reply, response);
}

type PagesOptions = { app: FastifyInstance; ctx: Context; bound: BoundRoutes };

export async function mountPages({ app, ctx, bound }: PagesOptions): Promise<void> {
  await app.register(async (scope) => {
    const frame = await openFrame(scope, ctx);
    if (!ctx.config.isHotReload) await scope.register((files) => serveAssets(files, frame.clientDir));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_BYTES }, (_request, body, done) =>
      done(null, body),
    );

    const renderer = createRenderer({ app, ctx, frame, bound });
    const renderLimits = createRenderLimits(ctx);
    const render = (request: FastifyRequest, reply: FastifyReply, options: RenderOptions) =>
      renderLimits.runWithin(request, () => renderer(request, reply, options));
    const pageCache = createPageCache({
      maxBytes: CACHE_BYTES,
      maxAgeMs: CACHE_TTL_MS,
      now: () => ctx.clock.now().getTime(),
    });
    registerCacheInvalidation(ctx.events, pageCache);
    // The site status is on every page, so all cached pages are dropped and it is read again.
    const refreshSiteStatus = () => {
      ctx.siteStatus.invalidate();
      pageCache.clear();
    };
    ctx.events.addLocalHandler('killSwitch.changed', 'pages.switches', refreshSiteStatus, refreshSiteStatus);
    const cookieName = getSessionCookieName(ctx.config);
    const isCacheEnabled = !ctx.config.isHotReload;

    /** Renders a shared page once for concurrent requests. The result has no page if it must not be cached. */
    const renderCached = (
      key: string,
      path: string,
      request: FastifyRequest,
      reply: FastifyReply,
      { hasEnded = false, isGeoSpecific = false },
    ) =>
      pageCache.renderOnce(key, async () => {
        const collected = new Set<string>();
        const statuses = new Set<number>();
        let isCodeRefused = false;
        const response = await render(request, reply, {
          url: path,
          onResponse: (body, status) => {
            collectTags(body, collected);
            statuses.add(status);
            isCodeRefused ||= hasRefusedCode(body);
          },
          isShared: true,
          isGeoSpecific,
          hasEnded,
        });
        // Only the caller who exceeded a limit is refused, not those who requested the page at the same time.
        if (isRefusedRender(response) || statuses.has(TOO_MANY_REQUESTS)) return {};
        if (isCodeRefused || !canCache(response, statuses)) return { response };
        if (!isEmbed(path)) return { page: toCachedPage(response, collected) };
        // A page cached for all locations must not depend on the location of its first request.
        const listFramers = () => getFrameAncestors(ctx, path);
        return {
          page: toCachedPage(
            response,
            collected,
            await (isGeoSpecific ? listFramers() : ctx.geo.runWith(undefined, listFramers)),
          ),
        };
      });

    scope.route({
      method: ['GET', 'POST'],
      url: '/*',
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        // In embeds every viewer is a visitor, so that nothing there can act on behalf of a user.
        const isEmbedded = isEmbed(request.url);
        const hasEnded =
          !isEmbedded && request.cookies[cookieName] !== undefined && findPageActor(request) === undefined;
        const isVisitor =
          request.method !== 'POST' && (isEmbedded || hasEnded || request.cookies[cookieName] === undefined);
        if (isVisitor && isCacheEnabled) {
          const varyKey = (hasEnded ? 'ended|' : '') + toVaryKey(isEmbedded ? {} : request.cookies);
          const geoContext = ctx.geo.findContext(request, undefined);
          const cachedPage = pageCache.get(varyKey + request.url);
          if (cachedPage && isVisibleAt(cachedPage, geoContext)) {
            countView(ctx, request);
            if (hasEnded) clearCookies(ctx, reply);
            return sendCachedPage(request, reply, cachedPage, { hasCookies: hasEnded });
          }
          const path = frame.findCacheKey(request.url);
          if (path !== undefined) {
            const rendered = await renderCached(varyKey + path, path, request, reply, { hasEnded });
            const isVisible = rendered.page ? isVisibleAt(rendered.page, geoContext) : !geoContext;
            // Where a creator on the page is hidden, a separate page is cached until the hidden creators change.
            const { page, response } =
              isVisible || !geoContext
                ? rendered
                : await renderCached(`${varyKey}@${geoContext.key}|${path}`, path, request, reply, {
                    hasEnded,
                    isGeoSpecific: true,
                  });
            if (hasEnded && (page || response?.hasReportedEnd)) clearCookies(ctx, reply);
            if (page) return sendCachedPage(request, reply, page, { hasCookies: hasEnded });
            if (response) return send(ctx, request, reply, response);
          }
        }
        const response = await render(request, reply, { isShared: isEmbedded, isGeoSpecific: true });
        if (isRefusedRender(response)) return sendRefusedRender(reply, response);
        if (response.hasReportedEnd) clearCookies(ctx, reply);
        return send(ctx, request, reply, response);
      },
    });
  });
}
