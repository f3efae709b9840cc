/** Links must lead to the network that their label names (row B4). */
import * as z from 'zod/mini';
import { OWN_LINKS, SOCIAL_NETWORKS } from './atoms/limits.ts';
import { line } from './atoms/lines.ts';

export type SocialNetwork = (typeof SOCIAL_NETWORKS)[number];

type Network = {
  name: string;
  base: string;
  /** Subdomains are included. `pinterest.*` stands for its country domains. */
  hosts: readonly string[];
};

export const NETWORKS: Readonly<Record<SocialNetwork, Network>> = {
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

function isOwnHost(host: string, own: string): boolean {
  if (!own.endsWith('.*')) return host === own || host.endsWith(`.${own}`);
  // pinterest.com, pinterest.co.uk, de.pinterest.com, pinterest.com.au
  return new RegExp(`(?:^|\\.)${own.slice(0, -2)}\\.(?:[a-z]{2,3}|com?\\.[a-z]{2})$`).test(host);
}

const ADDRESS = /^(?:https?:\/\/)?([a-z\d-]+(?:\.[a-z\d-]+)+)([/?#][^\\]*)?$/i;

/** The URL must be on one of its hosts and not its home page. */
export function isOfNetwork(network: SocialNetwork, address: string): boolean {
  const [, host = '', rest = ''] = (URL_PATTERN.test(address) && ADDRESS.exec(address)) || [];
  return NETWORKS[network].hosts.some((own) => isOwnHost(host.toLowerCase(), own)) && /^\/[^?#]|^\/?\?./.test(rest);
}

/** Appends a handle to the base, and completes a URL without scheme. */
export function networkAddress(network: SocialNetwork, typed: string): string {
  const text = typed.trim();
  if (text === '' || URL_PATTERN.test(text)) return text;
  const { base, hosts } = NETWORKS[network];
  const host = text.split(/[/?#]/)[0]?.toLowerCase() ?? '';
  if (text.length > host.length && hosts.some((own) => isOwnHost(host, own))) return `https://${text}`;
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
    if (isOfNetwork(network, url)) return;
    const { name, base } = NETWORKS[network];
    const message = `Enter a link to your ${name} page, such as ${base}yourname`;
    issues.push({ code: 'custom', path: ['url'], message, input: url });
  });

/** These names are not on the public internet (RFC 6761, 6762, 8375). */
const CLOSED = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|example|onion|arpa)$/;
/** IP addresses do not match. */
const NAMED = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{2,59})$/;

/** Normalizes as browsers do. Undefined for another scheme, credentials, a port or a non-public host. */
export function openAddress(text: string): string | undefined {
  if (!/^https:\/\/[^/\\]/i.test(text)) return undefined;
  let read: URL;
  try {
    read = new URL(text);
  } catch {
    return undefined;
  }
  if (read.protocol !== 'https:' || read.username || read.password || read.port) return undefined;
  return NAMED.test(read.hostname) && !CLOSED.test(read.hostname) ? read.href : undefined;
}

export const ownLink = z.object({ label: z.string(), url: z.string() });
export type OwnLink = z.infer<typeof ownLink>;
const ADDRESS_WORDS = 'Enter a link such as https://example.com/page';
export const ownLinkBody = z.object({
  label: line(OWN_LINKS.labelLength, 'Enter a title for the link').check(z.minLength(1, 'Enter a title for the link')),
  url: z.string().check(
    z.trim(),
    z.overwrite((text) => openAddress(text) ?? text),
    z.maxLength(OWN_LINKS.urlLength, `At most ${OWN_LINKS.urlLength} characters`),
    z.refine((text) => openAddress(text) !== undefined, ADDRESS_WORDS),
  ),
});

export const linkHref = (url: string): string => (url.toLowerCase().startsWith('www.') ? `https://${url}` : url);
