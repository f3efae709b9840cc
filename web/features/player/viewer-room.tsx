import 'yet-another-react-lightbox/styles.css';
import './viewer.css';
import { useEffect, useState } from 'react';
import Lightbox, { type GenericSlide, type SlideImage } from 'yet-another-react-lightbox';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import { Icon } from '../../ui/icon.tsx';
import { playAlone } from './alone.ts';
import { attach, type Engine } from './engine.ts';
import type { Shown } from './media-viewer.tsx';
import { srcSetOf } from './src-set.ts';

interface SlideVideo extends GenericSlide {
  type: 'video';
  shown: Shown;
}
declare module 'yet-another-react-lightbox' {
  interface SlideTypes {
    video: SlideVideo;
  }
}

function slideOf(shown: Shown): SlideImage | SlideVideo {
  if (shown.kind === 'video') return { type: 'video', shown };
  const { url, alt, width, height } = shown.picture;
  return { src: url, alt, width, height, srcSet: srcSetOf(shown.picture) };
}

function Loop({ shown, isCurrent }: { shown: Shown; isCurrent: boolean }) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [isBroken, setIsBroken] = useState(false);
  const { stream, picture } = shown;
  const isSilent = stream?.isLoop === true;
  useEffect(() => {
    if (!video || !stream || !isCurrent) return;
    let engine: Engine | undefined;
    let isGone = false;
    const ignore = () => undefined;
    const fail = () => setIsBroken(true);
    attach(video, stream, 0, { onQualities: ignore, onQuality: ignore, onFailure: fail }).then((attached) => {
      if (isGone) return attached.destroy();
      engine = attached;
      video.play().catch(ignore);
    }, fail);
    // Silent media does not pause other players.
    const release = isSilent ? ignore : playAlone(video);
    return () => {
      isGone = true;
      release();
      engine?.destroy();
    };
  }, [video, stream, isCurrent, isSilent]);
  if (isBroken) return <p role="alert">Couldn’t load this.</p>;
  return (
    <video
      ref={setVideo}
      className="viewer__video"
      controls={!isSilent}
      muted={isSilent}
      loop
      playsInline
      preload="metadata"
      poster={picture.url}
      aria-label={picture.alt || 'Video'}
      width={picture.width}
      height={picture.height}
    >
      {stream?.captions.map(({ language, label, url }) => (
        <track key={language} kind="captions" src={url} srcLang={language} label={label} />
      ))}
    </video>
  );
}

export type ViewerRoomProps = {
  items: readonly Shown[];
  name: string;
  index: number;
  onMove: (index: number) => void;
  onClose: () => void;
};

const icon = (name: Parameters<typeof Icon>[0]['name']) => () => <Icon name={name} />;
const RENDERED = {
  iconPrev: icon('chevron-left'),
  iconNext: icon('chevron-right'),
  iconClose: icon('close'),
  iconZoomIn: icon('plus'),
  iconZoomOut: icon('minus'),
  iconLoading: () => <span className="spinner" />,
  iconError: () => <p role="alert">Couldn’t load this photo.</p>,
};

export function ViewerRoom({ items, name, index, onMove, onClose }: ViewerRoomProps) {
  const words = items[index]?.picture.alt;
  const count = items.length;
  return (
    <Lightbox
      open
      className="viewer"
      index={index}
      close={onClose}
      slides={items.map(slideOf)}
      on={{ view: ({ index: to }) => onMove(to) }}
      plugins={[Zoom]}
      carousel={{ finite: true, preload: 1, padding: 0, spacing: 24, imageProps: { draggable: false } }}
      animation={{ fade: 120, swipe: 200, zoom: 200 }}
      controller={{ closeOnPullDown: true }}
      zoom={{ scrollToZoom: true, pinchZoomV4: true, maxZoomPixelRatio: 2, doubleClickMaxStops: 1 }}
      labels={{ Lightbox: name, 'Photo gallery': name }}
      toolbar={{
        buttons: [
          <p key="count" className="viewer__count num" role="status">
            {count > 1 && `${index + 1} of ${count}`}
          </p>,
          'zoom',
          'close',
        ],
      }}
      render={{
        ...RENDERED,
        ...(count < 2 && { buttonPrev: () => null, buttonNext: () => null }),
        slide: ({ slide, offset }) =>
          slide.type === 'video' ? <Loop shown={slide.shown} isCurrent={offset === 0} /> : undefined,
        controls: () => (words ? <p className="viewer__words">{words}</p> : null),
      }}
    />
  );
}
