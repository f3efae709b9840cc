/** Renders a message's text with links and the search text highlighted. */
import { foldText } from '@stagedoor/contract/shared/scripts.ts';
import type { ReactNode } from 'react';
import { LinkedText } from '../../../../platform/linked-text.tsx';

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
  return <LinkedText text={text} renderText={(part) => <HighlightedText text={part} mark={mark} />} />;
}

/** Returns where the search text is, as in a search by the server, regardless of case and accents. */
export function findMark(text: string, mark: string): { start: number; end: number } | undefined {
  let folded = '';
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const part = foldText(character);
    for (let index = 0; index < part.length; index += 1) starts.push(at);
    folded += part;
    at += character.length;
  }
  const foldedMark = foldText(mark);
  const index = foldedMark === '' ? -1 : folded.indexOf(foldedMark);
  const start = starts[index];
  return start === undefined ? undefined : { start, end: starts[index + foldedMark.length] ?? text.length };
}

function HighlightedText({ text, mark }: { text: string; mark: string | undefined }): ReactNode {
  const found = mark ? findMark(text, mark) : undefined;
  if (!found) return text;
  return (
    <>
      {text.slice(0, found.start)}
      <mark>{text.slice(found.start, found.end)}</mark>
      {text.slice(found.end)}
    </>
  );
}
