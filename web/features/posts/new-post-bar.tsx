/** Row C4: floats on home and feed once the page is scrolled past 200 px and a new post has come; takes one to the top. */
import { NEW_POST_BAR } from '@stagedoor/contract/atoms/limits.ts';
import { publicPostFeed } from '@stagedoor/contract/posts.ts';
import { useEffect, useState } from 'react';
import { onEvent } from '../../kernel/live.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { isWellFormed } from './live.ts';

/** `onTop` is called as the page scrolls up, e.g. to ask for what is new. */
export function NewPostBar({ onTop }: { onTop?: () => void }) {
  const [hasNew, setHasNew] = useState(false);
  const [isScrolled, setIsScrolled] = useState(false);

  useEffect(() => onEvent(publicPostFeed, (event) => isWellFormed(event) && setHasNew(true)), []);
  useEffect(() => {
    const look = () => {
      const isPast = window.scrollY > NEW_POST_BAR.scrollPx;
      setIsScrolled(isPast);
      // Whoever scrolls back up has seen what is there.
      if (!isPast) setHasNew(false);
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);

  if (!hasNew || !isScrolled) return null;
  const toTop = () => {
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({ top: 0, behavior: isStill ? 'auto' : 'smooth' });
    onTop?.();
  };
  return (
    <div
      role="status"
      className="fixed inset-x-0 top-[72px] z-[8] mx-auto flex w-full items-center gap-1 rounded-1 bg-ink pl-4 text-surface-0 lg:top-4"
      style={{ maxWidth: NEW_POST_BAR.maxWidthPx }}
    >
      <span className="flex-1 text-note font-semibold">New Post</span>
      <Button variant="quiet" className="!text-surface-0" onClick={toTop}>
        Top
      </Button>
      <IconButton icon="close" label="Close" onClick={() => setHasNew(false)} />
    </div>
  );
}
