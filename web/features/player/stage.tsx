/** A video without controls, shown at a given position. Used to pick frames and ranges. */
import type { Picture, Stream } from '@stagedoor/contract/pictures.ts';
import { useEffect, useState } from 'react';
import { playAlone } from './alone.ts';
import { attach, type Engine } from './engine.ts';

export type StageProps = {
  stream: Stream;
  picture: Picture;
  kind: 'video' | 'audio';
  label: string;
  onElement: (element: HTMLMediaElement | null) => void;
};

const ignore = () => undefined;

export function Stage({ stream, picture, kind, label, onElement }: StageProps) {
  const [element, setElement] = useState<HTMLMediaElement | null>(null);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    if (!element) return;
    let engine: Engine | undefined;
    let isGone = false;
    const fail = () => setIsBroken(true);
    attach(element, stream, 0, { onQualities: ignore, onQuality: ignore, onFailure: fail }).then((attached) => {
      if (isGone) attached.destroy();
      else engine = attached;
    }, fail);
    const release = playAlone(element);
    onElement(element);
    return () => {
      isGone = true;
      release();
      engine?.destroy();
      onElement(null);
    };
  }, [element, stream, onElement]);
  if (isBroken) return <p role="alert">Couldn’t load the player. Reload the page.</p>;
  if (kind === 'audio') {
    // biome-ignore lint/a11y/useMediaCaption: a tool for its own maker
    return <audio ref={setElement} aria-label={label} preload="metadata" />;
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: a tool for its own maker
    <video
      ref={setElement}
      className="block h-auto max-h-[60svh] w-full bg-surface-2 object-contain"
      style={{ aspectRatio: `${picture.width} / ${picture.height}` }}
      aria-label={label}
      playsInline
      preload="auto"
    />
  );
}
