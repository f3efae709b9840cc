/** A video without controls, shown at a given position. Used to pick frames and ranges. */
import type { Picture, Stream } from '@stagedoor/contract/content/pictures.ts';
import { useEffect, useState } from 'react';
import * as texts from '../texts.ts';
import { attachStream, type Engine } from './engine.ts';
import { pauseOthersOnPlay } from './exclusive-playback.ts';

export type SeekPreviewProps = {
  stream: Stream;
  picture: Picture;
  kind: 'video' | 'audio';
  label: string;
  onElement: (element: HTMLMediaElement | null) => void;
};

const ignore = () => undefined;

export function SeekPreview({ stream, picture, kind, label, onElement }: SeekPreviewProps) {
  const [element, setElement] = useState<HTMLMediaElement | null>(null);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    if (!element) return;
    let engine: Engine | undefined;
    let isUnmounted = false;
    const showError = () => setIsBroken(true);
    attachStream(element, stream, 0, { onQualities: ignore, onQuality: ignore, onFailure: showError }).then(
      (attached) => {
        if (isUnmounted) attached.destroy();
        else engine = attached;
      },
      showError,
    );
    const release = pauseOthersOnPlay(element);
    onElement(element);
    return () => {
      isUnmounted = true;
      release();
      engine?.destroy();
      onElement(null);
    };
  }, [element, stream, onElement]);
  if (isBroken) return <p role="alert">{texts.playerLoadError}</p>;
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
