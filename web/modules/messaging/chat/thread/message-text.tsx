/** Renders a message's text with links. Only http, https and www URLs become links, and nothing is parsed as markup. */
import type { ReactNode } from 'react';

const URL_PATTERN = /\b(?:https?:\/\/|www\.)[^\s<>"'`{}|\\^]+/giu;
const TRAILING_PUNCTUATION = /[.,;:!?…'"’”]+$/u;

export type TextPart = { text: string; href?: string };

function trimUrlEnd(raw: string): string {
  let candidate = raw.replace(TRAILING_PUNCTUATION, '');
  // A closing parenthesis belongs to the URL only if it was opened in it.
  while (candidate.endsWith(')') && candidate.split('(').length < candidate.split(')').length)
    candidate = candidate.slice(0, -1).replace(TRAILING_PUNCTUATION, '');
  return candidate;
}

function toSafeHref(candidate: string): string | undefined {
  try {
    const url = new URL(/^https?:/i.test(candidate) ? candidate : `https://${candidate}`);
    return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname.includes('.') ? url.href : undefined;
  } catch {
    return undefined;
  }
}

export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(URL_PATTERN)) {
    const candidate = trimUrlEnd(match[0]);
    const href = toSafeHref(candidate);
    if (!href) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ text: candidate, href });
    from = match.index + candidate.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** One visible character: a flag, a keycap, an emoji with its modifiers and joined parts, or any other character. */
const VISIBLE_CHARACTER =
  /\p{Regional_Indicator}{2}|[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier}|[\u{e0020}-\u{e007f}]|\u200d\p{Extended_Pictographic})*|\S/gu;

export function isEmojiOnly(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > 40) return false;
  if (!/^(?:\p{Extended_Pictographic}|\p{Emoji_Component}|\p{Regional_Indicator}|\u200d|\ufe0f|\s)+$/u.test(trimmed))
    return false;
  if (!/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(trimmed)) return false;
  return [...trimmed.matchAll(VISIBLE_CHARACTER)].length <= 3;
}

export function MessageText({ text, mark }: { text: string; mark?: string | undefined }) {
  const parts = splitLinks(text);
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
    return <HighlightedText key={key} text={part.text} mark={mark} />;
  });
}

const foldCase = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase('en');

function HighlightedText({ text, mark }: { text: string; mark: string | undefined }): ReactNode {
  // If case folding changes the length, the positions do not match, so nothing is highlighted.
  if (!mark || foldCase(text).length !== text.length) return text;
  const index = foldCase(text).indexOf(foldCase(mark));
  if (index === -1) return text;
  return (
    <>
      {text.slice(0, index)}
      <mark>{text.slice(index, index + mark.length)}</mark>
      {text.slice(index + mark.length)}
    </>
  );
}
