/** robots.txt (RFC 9309): keeps crawlers off private pages. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';

const CLOSED = [
  PATHS.admin,
  PATHS.fanHome,
  `${PATHS.creatorDashboard}/`,
  `${PATHS.creatorDashboard}$`,
  PATHS.preferences,
  PUBLIC_PATHS.agree,
  '/api/',
  '/embed/',
  '/*?search=',
];

export function robotsText(origin: string): string {
  const lines = ['User-agent: *', ...CLOSED.map((path) => `Disallow: ${path}`)];
  return `${lines.join('\n')}\n\nSitemap: ${origin}/sitemap.xml\n`;
}
