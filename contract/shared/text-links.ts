/** Finds links in texts of users. Only http, https and www URLs become links, and nothing is parsed as markup. */
import { LinkifyIt } from 'linkify-it';
import { toHonestHost } from './hosts.ts';

export type TextPart = { text: string; href?: string };

const linkify = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false });

/**
 * linkify-it wants a blank or punctuation before a link. Scripts without blanks have none, so the beginning is found
 * here and linkify-it finds the end.
 */
const START = /(?<![a-z\d])(?:https?:\/\/|www\.)/giu;
/** A second URL, if it is not a part of the first one as in an archive's address. */
const NEXT_URL = /(?<![a-z\d/=?&#])https?:\/\//iu;
/** URLs contain these only encoded. Format characters are invisible or change the order of the text. */
const NOT_IN_URLS = /[|{}\\^`]|(?![\u200c\u200d])\p{Cf}/u;
/** A longer URL is no link. This limits the time that a text takes. */
const URL_LENGTH = 2_000;

function cutRest(rest: string): string {
  const ends = [rest.slice(1).search(NEXT_URL) + 1, rest.search(NOT_IN_URLS)].filter((end) => end > 0);
  return rest.slice(0, Math.min(rest.length, ...ends));
}

/** Removes the end of an emphasis that began before the URL, as in *https://example.com* and _https://example.com_. */
function trimEmphasis(candidate: string, before: string): string {
  if (!/[*_~]/.test(before)) return candidate;
  let end = candidate.length;
  while (candidate[end - 1] === before) end -= 1;
  return candidate.slice(0, end);
}

function findCandidate(text: string, start: number): string {
  const rest = cutRest(text.slice(start, start + URL_LENGTH + 1));
  const url = /^www\./i.test(rest) ? `https://${rest}` : rest;
  const afterScheme = url.indexOf(':') + 1;
  const length = linkify.testSchemaAt(url, url.slice(0, afterScheme).toLowerCase(), afterScheme);
  return trimEmphasis(
    rest.slice(0, Math.max(0, afterScheme + length - (url.length - rest.length))),
    text[start - 1] ?? '',
  );
}

type LinkOptions = {
  /** Links to hosts such as localhost, in mails of a development server. */
  allowsLocalHosts?: boolean;
};

function toLinkPart(candidate: string, { allowsLocalHosts = false }: LinkOptions): Required<TextPart> | undefined {
  const [, scheme = '', host = '', path = ''] = /^(https?:\/\/)?([^/?#:\\]+)(.*)$/isu.exec(candidate) ?? [];
  try {
    const url = new URL(`${scheme || 'https://'}${host}${path}`);
    if (!allowsLocalHosts && !url.hostname.includes('.')) return undefined;
    return { text: `${scheme}${toHonestHost(host)}${path}`, href: url.href };
  } catch {
    return undefined;
  }
}

/** The parts are the text, except that hosts which imitate others are in Punycode. */
export function splitLinks(text: string, options: LinkOptions = {}): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { index } of text.matchAll(START)) {
    if (index < end) continue;
    const candidate = findCandidate(text, index);
    const link = candidate.length > URL_LENGTH ? undefined : toLinkPart(candidate, options);
    if (!link) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push(link);
    end = index + candidate.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
