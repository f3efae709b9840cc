/** SEO: robots.txt, sitemaps and feeds. */

import { getCallerKey } from '../../../platform/http/http.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { limitRequests, type RateLimit } from '../../../platform/limits/rate-limit.ts';
import { registerFeeds } from './feeds.ts';
import { manifest } from './manifest.ts';
import { formatRobotsTxt } from './robots.ts';
import { registerSitemaps } from './sitemaps.ts';

const READ_LIMIT: RateLimit = { name: 'seo', max: 120, windowMs: 60_000 };

function register({ app, ctx }: ModuleHost): void {
  const onRequest = limitRequests(ctx.limits, READ_LIMIT, getCallerKey);
  app.get('/robots.txt', { onRequest }, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(formatRobotsTxt(ctx.config.publicUrl)),
  );
  registerSitemaps(app, ctx, onRequest);
  registerFeeds(app, ctx, onRequest);
}

export const featureModule = { ...manifest, register };
