/**
 * A picture that can be enlarged up to four times and is moved by scrolling, so that keyboard and touch reach every
 * corner.
 */
import { useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { isBroken } from '../../ui/picture.tsx';

const MOST = 4;

export interface ZoomPictureProps {
  src: string;
  alt: string;
  brokenWords: string;
  onBroken?: () => void;
  onSize?: (width: number, height: number) => void;
}

function useMiddle(zoom: number) {
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

export function ZoomPicture({ src, alt, brokenWords, onBroken, onSize }: ZoomPictureProps) {
  const [zoom, setZoom] = useState(1);
  const [broken, setBroken] = useState<string>();
  const scroller = useMiddle(zoom);
  const fail = () => {
    setBroken(src);
    onBroken?.();
  };
  if (broken === src) return <p className="v-cam__words">{brokenWords}</p>;
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
            if (isBroken(element)) fail();
          }}
        />
      </section>
      <div className="v-zoom__acts">
        <IconButton
          icon="minus"
          label={`Smaller: ${alt}`}
          disabled={zoom === 1}
          onClick={() => setZoom(Math.max(1, zoom - 1))}
        />
        <IconButton
          icon="plus"
          label={`Larger: ${alt}`}
          disabled={zoom === MOST}
          onClick={() => setZoom(Math.min(MOST, zoom + 1))}
        />
      </div>
    </>
  );
}
