/**
 * The bar that appears on home and dashboard when a new post has arrived and the page is scrolled past 200 px. It links
 * to the post and to the top (row C4).
 */

import { publicPostFeed } from '@stagedoor/contract/content/posts.ts';
import { postPath } from '@stagedoor/contract/shared/addresses.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import { NEW_POST_BAR } from '@stagedoor/contract/shared/limits.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { onEvent } from '../../../platform/socket-events.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { isWellFormed } from './post-list.ts';
import * as texts from './texts.ts';

export interface NewPostFlag {
  postId: string | undefined;
  raise: (post: { id: string }) => void;
  clear: () => void;
}

function isOnScreen(postId: string): boolean {
  return [...document.querySelectorAll(`main a[href="${CSS.escape(postPath(postId))}"]:not([role="status"] a)`)].some(
    (link) => {
      const { top, bottom, width } = link.getBoundingClientRect();
      return width > 0 && bottom > 0 && top < window.innerHeight;
    },
  );
}

/**
 * The new-post flag of a page. It stays for a post that arrives while the page is at the top, until the page is
 * scrolled past 200 px. Scrolling back to the top or to the post clears it (row C3).
 */
export function useNewPostFlag(): NewPostFlag {
  const [postId, setPostId] = useState<string>();
  useEffect(() => {
    if (postId === undefined) return;
    let wasPast = false;
    const update = () => {
      const isPast = window.scrollY > NEW_POST_BAR.scrollPx;
      if ((wasPast && !isPast) || isOnScreen(postId)) setPostId(undefined);
      wasPast = isPast;
    };
    const first = requestAnimationFrame(update);
    window.addEventListener('scroll', update, { passive: true });
    return () => {
      cancelAnimationFrame(first);
      window.removeEventListener('scroll', update);
    };
  }, [postId]);
  return { postId, raise: ({ id }) => setPostId(id), clear: () => setPostId(undefined) };
}

export function useNewPosts(flag: NewPostFlag, isRelevant: (event: PayloadOf<typeof publicPostFeed>) => boolean): void {
  const handleEvent = useEffectEvent((event: PayloadOf<typeof publicPostFeed>) => {
    if (isWellFormed(event) && isRelevant(event)) flag.raise(event);
  });
  useEffect(() => onEvent(publicPostFeed, handleEvent), []);
}

function useIsScrolledPast(): boolean {
  const [isScrolledPast, setScrolledPast] = useState(false);
  useEffect(() => {
    const update = () => setScrolledPast(window.scrollY > NEW_POST_BAR.scrollPx);
    update();
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, []);
  return isScrolledPast;
}

export function NewPostBar({ flag, onTop }: { flag: NewPostFlag; onTop?: () => void }) {
  const isScrolledPast = useIsScrolledPast();
  const scrollToTop = () => {
    const isMotionReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({ top: 0, behavior: isMotionReduced ? 'auto' : 'smooth' });
    // The bar disappears with its button, so the focus moves to the main content.
    document.getElementById('main')?.focus({ preventScroll: true });
    onTop?.();
  };
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[72px] z-[8] mx-auto w-full px-4 lg:top-4"
      style={{ maxWidth: NEW_POST_BAR.maxWidthPx }}
    >
      {isScrolledPast && flag.postId !== undefined && (
        <div className="pointer-events-auto flex items-center gap-1 rounded-1 bg-ink pl-4 text-surface-0">
          <UiLink href={postPath(flag.postId)} className="flex min-h-11 flex-1 items-center text-note font-semibold">
            {texts.newPost}
          </UiLink>
          <Button variant="quiet" className="!text-surface-0" onClick={scrollToTop}>
            {texts.backToTop}
          </Button>
          <IconButton icon="close" label={texts.close} onClick={flag.clear} />
        </div>
      )}
    </div>
  );
}
