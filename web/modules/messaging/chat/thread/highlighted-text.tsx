import { foldText } from '@stagedoor/contract/shared/fold-text.ts';
import type { ReactNode } from 'react';

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

export function HighlightedText({ text, mark }: { text: string; mark: string }): ReactNode {
  const found = findMark(text, mark);
  if (!found) return text;
  return (
    <>
      {text.slice(0, found.start)}
      <mark>{text.slice(found.start, found.end)}</mark>
      {text.slice(found.end)}
    </>
  );
}
