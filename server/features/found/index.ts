/** SEO: robots.txt, sitemaps and feeds. */
import type { Server } from '../../kernel/bind.ts';
import { callerKey } from '../../kernel/http.ts';
import { limitRequests } from '../../kernel/limits.ts';
import { serveFeeds } from './feeds.ts';
import { manifest } from './manifest.ts';
import { robotsText } from './robots.ts';
import { serveSitemaps } from './sitemaps.ts';

const READS_A_MINUTE = 120;

function register({ app, ctx }: Server): void {
  const limit = { name: 'found', max: Math.ceil(READS_A_MINUTE * ctx.config.rateFactor), windowMs: 60_000 };
  const onRequest = limitRequests(ctx.limits, limit, callerKey);
  app.get('/robots.txt', { onRequest }, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(robotsText(ctx.config.publicUrl)),
  );
  serveSitemaps(app, ctx, onRequest);
  serveFeeds(app, ctx, onRequest);
}

export const room = { ...manifest, register };
