/**
 * A picture that can be enlarged up to four times and is moved by scrolling, so that keyboard and touch reach every
 * corner.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import { isImageBroken } from '../../../ui/picture.tsx';
import * as texts from './texts.ts';

const MAX_ZOOM = 4;

export interface ZoomPictureProps {
  src: string;
  alt: string;
  brokenMessage: string;
  onBroken?: () => void;
  onSize?: (width: number, height: number) => void;
}

function useCenteredZoom(zoom: number) {
  const scroller = useRef<HTMLElement>(null);
  const last = useRef(zoom);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || last.current === zoom) return;
    const growth = zoom / last.current;
    last.current = zoom;
    element.scrollLeft = (element.scrollLeft + element.clientWidth / 2) * growth - element.clientWidth / 2;
    element.scrollTop = (element.scrollTop + element.clientHeight / 2) * growth - element.clientHeight / 2;
  }, [zoom]);
  return scroller;
}

export function ZoomPicture({ src, alt, brokenMessage, onBroken, onSize }: ZoomPictureProps) {
  const [zoom, setZoom] = useState(1);
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const scroller = useCenteredZoom(zoom);
  const fail = () => {
    setBrokenSrc(src);
    onBroken?.();
  };
  if (brokenSrc === src) return <p className="v-cam__words">{brokenMessage}</p>;
  return (
    <>
      <section
        ref={scroller}
        className="v-zoom"
        aria-label={alt}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        tabIndex={0}
      >
        <img
          src={src}
          alt={alt}
          draggable={false}
          style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => onSize?.(naturalWidth, naturalHeight)}
          onError={fail}
          ref={(element) => {
            if (isImageBroken(element)) fail();
          }}
        />
      </section>
      <div className="v-zoom__acts">
        <IconButton
          icon="minus"
          label={formatText(texts.smallerPicture, { pictureName: alt })}
          disabled={zoom === 1}
          onClick={() => setZoom(Math.max(1, zoom - 1))}
        />
        <IconButton
          icon="plus"
          label={formatText(texts.largerPicture, { pictureName: alt })}
          disabled={zoom === MAX_ZOOM}
          onClick={() => setZoom(Math.min(MAX_ZOOM, zoom + 1))}
        />
      </div>
    </>
  );
}
