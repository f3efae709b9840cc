/** Row C4: floats on home and dashboard once the page is scrolled past 200 px and a new post has come; takes one to the top. */
import type { PayloadOf } from '@stagedoor/contract/atoms/event.ts';
import { NEW_POST_BAR } from '@stagedoor/contract/atoms/limits.ts';
import { publicPostFeed } from '@stagedoor/contract/posts.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { onEvent } from '../../kernel/live.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { isWellFormed } from './live.ts';

export interface NewPostFlag {
  isUp: boolean;
  raise: () => void;
  clear: () => void;
}

/** The new-post flag of a page (row C3); whoever scrolls back up has seen what is there. */
export function useNewPostFlag(): NewPostFlag {
  const [isUp, setUp] = useState(false);
  useEffect(() => {
    const look = () => window.scrollY <= NEW_POST_BAR.scrollPx && setUp(false);
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return { isUp, raise: () => setUp(true), clear: () => setUp(false) };
}

/** Raises the flag for every new post that `counts`, on pages that show no list of them. */
export function useNewPosts(flag: NewPostFlag, counts: (event: PayloadOf<typeof publicPostFeed>) => boolean): void {
  const hear = useEffectEvent((event: PayloadOf<typeof publicPostFeed>) => {
    if (isWellFormed(event) && counts(event)) flag.raise();
  });
  useEffect(() => onEvent(publicPostFeed, hear), []);
}

function useIsPast(): boolean {
  const [isPast, setPast] = useState(false);
  useEffect(() => {
    const look = () => setPast(window.scrollY > NEW_POST_BAR.scrollPx);
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return isPast;
}

/** `onTop` is called as the page scrolls up, e.g. to ask for what is new. */
export function NewPostBar({ flag, onTop }: { flag: NewPostFlag; onTop?: () => void }) {
  const isShown = useIsPast() && flag.isUp;
  const toTop = () => {
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({ top: 0, behavior: isStill ? 'auto' : 'smooth' });
    // The bar leaves with its button: reading goes on at the top.
    document.getElementById('main')?.focus({ preventScroll: true });
    onTop?.();
  };
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[72px] z-[8] mx-auto w-full px-4 lg:top-4"
      style={{ maxWidth: NEW_POST_BAR.maxWidthPx }}
    >
      {isShown && (
        <div className="pointer-events-auto flex items-center gap-1 rounded-1 bg-ink pl-4 text-surface-0">
          <span className="flex-1 text-note font-semibold">New Post</span>
          <Button variant="quiet" className="!text-surface-0" onClick={toTop}>
            Top
          </Button>
          <IconButton icon="close" label="Close" onClick={flag.clear} />
        </div>
      )}
    </div>
  );
}
