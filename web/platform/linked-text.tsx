/**
 * Text of users in which URLs are links. The code that finds them loads with the first text that may have one: on
 * navigation the text appears first without links, and on hydration the links of the server stay.
 */
import type { TextPart } from '@stagedoor/contract/shared/text-links.ts';
import { Fragment, type ReactNode, Suspense, use } from 'react';
import { loadWhenReachable } from './lazy-part.ts';

type SplitLinks = (text: string) => TextPart[];

let splitLinks: SplitLinks | undefined;
let loading: Promise<void> | undefined;

/** The server has the code from the start, because it renders a page once. */
export function provideLinkSplitter(split: SplitLinks): void {
  splitLinks = split;
}

async function loadLinkSplitter(): Promise<void> {
  try {
    const links = await loadWhenReachable(() => import('@stagedoor/contract/shared/text-links.ts'));
    provideLinkSplitter((text) => links.splitLinks(text));
  } catch {
    // The code belongs to another release. Text without links is better than no page.
    provideLinkSplitter((text) => [{ text }]);
  }
}

export type LinkedTextProps = {
  text: string;
  /** Renders the text between links. */
  renderText?: (text: string) => ReactNode;
};

function TextWithLinks({ text, renderText = (part) => part }: LinkedTextProps): ReactNode {
  if (!splitLinks) {
    loading ??= loadLinkSplitter();
    use(loading);
  }
  let position = 0;
  return splitLinks?.(text).map((part) => {
    const key = position;
    position += part.text.length;
    if (part.href === undefined) return <Fragment key={key}>{renderText(part.text)}</Fragment>;
    return (
      // A direction of its own, so that the text around it cannot reorder the URL.
      <a key={key} className="link" dir="ltr" href={part.href} target="_blank" rel="noopener noreferrer nofollow ugc">
        {part.text}
      </a>
    );
  });
}

export function LinkedText({ text, renderText = (part) => part }: LinkedTextProps): ReactNode {
  if (!/https?:\/\/|www\./i.test(text)) return renderText(text);
  return (
    <Suspense fallback={renderText(text)}>
      <TextWithLinks text={text} renderText={renderText} />
    </Suspense>
  );
}
