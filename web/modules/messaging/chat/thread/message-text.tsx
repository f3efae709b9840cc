/** Renders a message's text with links and the search text highlighted. */
import { Suspense } from 'react';
import { lazyPart } from '../../../../platform/lazy-part.ts';
import { LinkedText } from '../../../../platform/linked-text.tsx';

const HighlightedText = lazyPart(async () => (await import('./highlighted-text.tsx')).HighlightedText);

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
  const renderText = (part: string) =>
    mark ? (
      <Suspense fallback={part}>
        <HighlightedText text={part} mark={mark} />
      </Suspense>
    ) : (
      part
    );
  return <LinkedText text={text} renderText={renderText} />;
}
