/** robots.txt (RFC 9309): keeps crawlers off private pages. */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';

const DISALLOWED = [
  PATHS.admin,
  PATHS.fanHome,
  `${PATHS.creatorDashboard}/`,
  `${PATHS.creatorDashboard}$`,
  PATHS.preferences,
  PUBLIC_PATHS.consent,
  '/api/',
  '/embed/',
  '/*?search=',
];

export function formatRobotsTxt(origin: string): string {
  const lines = ['User-agent: *', ...DISALLOWED.map((path) => `Disallow: ${path}`)];
  return `${lines.join('\n')}\n\nSitemap: ${origin}/sitemap.xml\n`;
}
