/** Links must lead to the network that their label names (row B4). */
import * as z from 'zod/mini';
import { CUSTOM_LINKS, SOCIAL_NETWORKS } from '../shared/limits.ts';
import { singleLineText } from '../shared/single-line-text.ts';

export type SocialNetwork = (typeof SOCIAL_NETWORKS)[number];

type SocialNetworkDetails = {
  name: string;
  base: string;
  /** Subdomains are included. `pinterest.*` stands for its country domains. */
  hosts: readonly string[];
};

export const SOCIAL_NETWORK_DETAILS: Readonly<Record<SocialNetwork, SocialNetworkDetails>> = {
  facebook: { name: 'Facebook', base: 'https://www.facebook.com/', hosts: ['facebook.com', 'fb.com', 'fb.me'] },
  instagram: { name: 'Instagram', base: 'https://www.instagram.com/', hosts: ['instagram.com', 'instagr.am'] },
  linkedin: { name: 'LinkedIn', base: 'https://www.linkedin.com/in/', hosts: ['linkedin.com', 'lnkd.in'] },
  pinterest: { name: 'Pinterest', base: 'https://www.pinterest.com/', hosts: ['pinterest.*', 'pin.it'] },
  reddit: { name: 'Reddit', base: 'https://www.reddit.com/user/', hosts: ['reddit.com', 'redd.it'] },
  snapchat: { name: 'Snapchat', base: 'https://www.snapchat.com/add/', hosts: ['snapchat.com'] },
  spotify: {
    name: 'Spotify',
    base: 'https://open.spotify.com/user/',
    hosts: ['spotify.com', 'spotify.link', 'spoti.fi'],
  },
  tiktok: { name: 'TikTok', base: 'https://www.tiktok.com/@', hosts: ['tiktok.com'] },
  twitch: { name: 'Twitch', base: 'https://www.twitch.tv/', hosts: ['twitch.tv'] },
  twitter: { name: 'Twitter', base: 'https://twitter.com/', hosts: ['twitter.com', 'x.com'] },
  x: { name: 'X', base: 'https://x.com/', hosts: ['x.com', 'twitter.com'] },
  youtube: { name: 'YouTube', base: 'https://www.youtube.com/@', hosts: ['youtube.com', 'youtu.be'] },
};

/** See row V6 of the specification. */
export const URL_PATTERN = /^(?:https?:\/\/|www\.)[^\s<>"']{2,500}$/i;
const HANDLE = /^@?[\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,98}[\p{L}\p{N}_-])?$/u;

function isNetworkHost(host: string, networkHost: string): boolean {
  if (!networkHost.endsWith('.*')) return host === networkHost || host.endsWith(`.${networkHost}`);
  // pinterest.com, pinterest.co.uk, de.pinterest.com, pinterest.com.au
  return new RegExp(`(?:^|\\.)${networkHost.slice(0, -2)}\\.(?:[a-z]{2,3}|com?\\.[a-z]{2})$`).test(host);
}

const ADDRESS = /^(?:https?:\/\/)?([a-z\d-]+(?:\.[a-z\d-]+)+)([/?#][^\\]*)?$/i;

/** The URL must be on one of its hosts and not its home page. */
export function isNetworkUrl(network: SocialNetwork, address: string): boolean {
  const [, host = '', rest = ''] = (URL_PATTERN.test(address) && ADDRESS.exec(address)) || [];
  return (
    SOCIAL_NETWORK_DETAILS[network].hosts.some((networkHost) => isNetworkHost(host.toLowerCase(), networkHost)) &&
    /^\/[^?#]|^\/?\?./.test(rest)
  );
}

/** Appends a handle to the base, and completes a URL without scheme. */
export function toNetworkUrl(network: SocialNetwork, input: string): string {
  const text = input.trim();
  if (text === '' || URL_PATTERN.test(text)) return text;
  const { base, hosts } = SOCIAL_NETWORK_DETAILS[network];
  const host = text.split(/[/?#]/)[0]?.toLowerCase() ?? '';
  if (text.length > host.length && hosts.some((networkHost) => isNetworkHost(host, networkHost)))
    return `https://${text}`;
  return HANDLE.test(text) ? `${base}${encodeURIComponent(text.replace(/^@/, ''))}` : text;
}

export const socialLink = z.object({ network: z.enum(SOCIAL_NETWORKS), url: z.string() });
export type SocialLink = z.infer<typeof socialLink>;

export const socialLinkBody = z
  .object({
    network: z.enum(SOCIAL_NETWORKS),
    url: z.string().check(z.trim(), z.regex(URL_PATTERN, 'Enter a link that starts with http://, https:// or www.')),
  })
  .check(({ value, issues }) => {
    const { network, url } = value;
    if (isNetworkUrl(network, url)) return;
    const { name, base } = SOCIAL_NETWORK_DETAILS[network];
    const message = `Enter a link to your ${name} page, such as ${base}yourname`;
    issues.push({ code: 'custom', path: ['url'], message, input: url });
  });

/** These names are not on the public internet (RFC 6761, 6762, 8375). */
const PRIVATE_DOMAIN = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|example|onion|arpa)$/;
/** IP addresses do not match. */
const PUBLIC_HOSTNAME = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{2,59})$/;

/** Normalizes as browsers do. Undefined for another scheme, credentials, a port or a non-public host. */
export function parsePublicUrl(text: string): string | undefined {
  if (!/^https:\/\/[^/\\]/i.test(text)) return undefined;
  let parsed: URL;
  try {
    parsed = new URL(text);
  } catch {
    return undefined;
  }
  if (parsed.protocol !== 'https:' || parsed.username || parsed.password || parsed.port) return undefined;
  return PUBLIC_HOSTNAME.test(parsed.hostname) && !PRIVATE_DOMAIN.test(parsed.hostname) ? parsed.href : undefined;
}

export const customLink = z.object({ label: z.string(), url: z.string() });
export type CustomLink = z.infer<typeof customLink>;
const URL_MESSAGE = 'Enter a link such as https://example.com/page';
export const customLinkBody = z.object({
  label: singleLineText(CUSTOM_LINKS.labelLength, 'Enter a title for the link').check(
    z.minLength(1, 'Enter a title for the link'),
  ),
  url: z.string().check(
    z.trim(),
    z.overwrite((text) => parsePublicUrl(text) ?? text),
    z.maxLength(CUSTOM_LINKS.urlLength, `At most ${CUSTOM_LINKS.urlLength} characters`),
    z.refine((text) => parsePublicUrl(text) !== undefined, URL_MESSAGE),
  ),
});

export const toLinkHref = (url: string): string => (url.toLowerCase().startsWith('www.') ? `https://${url}` : url);
