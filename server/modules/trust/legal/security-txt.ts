/** security.txt (RFC 9116): where security researchers report a vulnerability. */

import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { getCallerKey } from '../../../platform/http/http.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { limitRequests, type RateLimit } from '../../../platform/limits/rate-limit.ts';
import { getCompanyDetails } from './company-details.ts';

const READ_LIMIT: RateLimit = { name: 'security-txt', max: 120, windowMs: 60_000 };
const PATH = '/.well-known/security.txt';
const DAY_MS = 24 * 60 * 60_000;
/** Readers ignore an expired file, and the standard recommends less than a year. */
const VALID_DAYS = 180;

export function formatSecurityTxt(origin: string, contactMail: string, now: Date): string {
  const expires = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + VALID_DAYS * DAY_MS);
  return [
    ...(contactMail === '' ? [] : [`Contact: mailto:${encodeURI(contactMail)}`]),
    `Contact: ${origin}${CASE_PATHS.contactUs}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}${PATH}`,
    '',
  ].join('\n');
}

export function serveSecurityTxt({ app, ctx }: Pick<ModuleHost, 'app' | 'ctx'>): void {
  const onRequest = limitRequests(ctx.limits, READ_LIMIT, getCallerKey);
  app.get(PATH, { onRequest }, async (_request, reply) => {
    const { contactMail } = await getCompanyDetails(ctx.db);
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(formatSecurityTxt(ctx.config.publicUrl, contactMail, ctx.clock.now()));
  });
}
