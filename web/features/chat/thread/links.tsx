/** Renders a message's text with links. Only http, https and www URLs become links, and nothing is parsed as markup. */
import type { ReactNode } from 'react';

const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"'`{}|\\^]+/giu;
const TRAILING = /[.,;:!?…'"’”]+$/u;

export type Part = { text: string; href?: string };

function splitEnd(raw: string): string {
  let address = raw.replace(TRAILING, '');
  // A closing parenthesis belongs to the URL only if it was opened in it.
  while (address.endsWith(')') && address.split('(').length < address.split(')').length)
    address = address.slice(0, -1).replace(TRAILING, '');
  return address;
}

function hrefOf(address: string): string | undefined {
  try {
    const url = new URL(/^https?:/i.test(address) ? address : `https://${address}`);
    return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname.includes('.') ? url.href : undefined;
  } catch {
    return undefined;
  }
}

export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = splitEnd(match[0]);
    const href = hrefOf(address);
    if (!href) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ text: address, href });
    from = match.index + address.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** One visible character: a flag, a keycap, an emoji with its modifiers and joined parts, or any other character. */
const SIGN =
  /\p{Regional_Indicator}{2}|[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier}|[\u{e0020}-\u{e007f}]|\u200d\p{Extended_Pictographic})*|\S/gu;

export function isEmojiOnly(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > 40) return false;
  if (!/^(?:\p{Extended_Pictographic}|\p{Emoji_Component}|\p{Regional_Indicator}|\u200d|\ufe0f|\s)+$/u.test(trimmed))
    return false;
  if (!/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(trimmed)) return false;
  return [...trimmed.matchAll(SIGN)].length <= 3;
}

export function MessageText({ text, mark }: { text: string; mark?: string | undefined }) {
  const parts = partsOf(text);
  let at = 0;
  return parts.map((part) => {
    const key = at;
    at += part.text.length;
    if (part.href)
      return (
        <a key={key} className="link" href={part.href} target="_blank" rel="noopener noreferrer nofollow ugc">
          {part.text}
        </a>
      );
    return <Marked key={key} text={part.text} mark={mark} />;
  });
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase('en');

function Marked({ text, mark }: { text: string; mark: string | undefined }): ReactNode {
  // If case folding changes the length, the positions do not match, so nothing is highlighted.
  if (!mark || fold(text).length !== text.length) return text;
  const place = fold(text).indexOf(fold(mark));
  if (place === -1) return text;
  return (
    <>
      {text.slice(0, place)}
      <mark>{text.slice(place, place + mark.length)}</mark>
      {text.slice(place + mark.length)}
    </>
  );
}
