import type { Picture, Stream } from '@stagedoor/contract/content/pictures.ts';
import 'yet-another-react-lightbox/styles.css';
import './viewer.css';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useEffect, useState } from 'react';
import Lightbox, { type GenericSlide, type SlideImage } from 'yet-another-react-lightbox';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import { Icon } from '../../../../ui/icon.tsx';
import * as texts from '../texts.ts';
import { attachStream, type Engine } from './engine.ts';
import { pauseOthersOnPlay } from './exclusive-playback.ts';
import { toSrcSet } from './src-set.ts';

export type ViewerItem = { id: string; kind: 'picture' | 'video'; picture: Picture; stream: Stream | null };

interface SlideVideo extends GenericSlide {
  type: 'video';
  item: ViewerItem;
}
declare module 'yet-another-react-lightbox' {
  interface SlideTypes {
    video: SlideVideo;
  }
}

function toSlide(item: ViewerItem): SlideImage | SlideVideo {
  if (item.kind === 'video') return { type: 'video', item };
  const { url, alt, width, height } = item.picture;
  return { src: url, alt, width, height, srcSet: toSrcSet(item.picture) };
}

function VideoSlide({ item, isCurrent }: { item: ViewerItem; isCurrent: boolean }) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [isBroken, setIsBroken] = useState(false);
  const { stream, picture } = item;
  const isSilent = stream?.isLoop === true;
  useEffect(() => {
    if (!video || !stream || !isCurrent) return;
    let engine: Engine | undefined;
    let isUnmounted = false;
    const ignore = () => undefined;
    const fail = () => setIsBroken(true);
    attachStream(video, stream, 0, { onQualities: ignore, onQuality: ignore, onFailure: fail }).then((attached) => {
      if (isUnmounted) return attached.destroy();
      engine = attached;
      video.play().catch(ignore);
    }, fail);
    // Silent media does not pause other players.
    const release = isSilent ? ignore : pauseOthersOnPlay(video);
    return () => {
      isUnmounted = true;
      release();
      engine?.destroy();
    };
  }, [video, stream, isCurrent, isSilent]);
  if (isBroken) return <p role="alert">{texts.couldntLoadThis}</p>;
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
      aria-label={picture.alt || texts.video}
      width={picture.width}
      height={picture.height}
    >
      {stream?.captions.map(({ language, label, url }) => (
        <track key={language} kind="captions" src={url} srcLang={language} label={label} />
      ))}
    </video>
  );
}

export type ViewerLightboxProps = {
  items: readonly ViewerItem[];
  name: string;
  index: number;
  onMove: (index: number) => void;
  onClose: () => void;
};

const renderIcon = (name: Parameters<typeof Icon>[0]['name']) => () => <Icon name={name} />;
const RENDERED_ICONS = {
  iconPrev: renderIcon('chevron-left'),
  iconNext: renderIcon('chevron-right'),
  iconClose: renderIcon('close'),
  iconZoomIn: renderIcon('plus'),
  iconZoomOut: renderIcon('minus'),
  iconLoading: () => <span className="spinner" />,
  iconError: () => <p role="alert">{texts.couldntLoadThisPhoto}</p>,
};

export function ViewerLightbox({ items, name, index, onMove, onClose }: ViewerLightboxProps) {
  const caption = items[index]?.picture.alt;
  const count = items.length;
  return (
    <Lightbox
      open
      className="viewer"
      index={index}
      close={onClose}
      slides={items.map(toSlide)}
      on={{ view: ({ index }) => onMove(index) }}
      plugins={[Zoom]}
      carousel={{ finite: true, preload: 1, padding: 0, spacing: 24, imageProps: { draggable: false } }}
      animation={{ fade: 120, swipe: 200, zoom: 200 }}
      controller={{ closeOnPullDown: true }}
      zoom={{ scrollToZoom: true, pinchZoomV4: true, maxZoomPixelRatio: 2, doubleClickMaxStops: 1 }}
      labels={{ Lightbox: name, 'Photo gallery': name }}
      toolbar={{
        buttons: [
          <p key="count" className="viewer__count num" role="status">
            {count > 1 && formatText(texts.positionInSet, { index: index + 1, count })}
          </p>,
          'zoom',
          'close',
        ],
      }}
      render={{
        ...RENDERED_ICONS,
        ...(count < 2 && { buttonPrev: () => null, buttonNext: () => null }),
        slide: ({ slide, offset }) =>
          slide.type === 'video' ? <VideoSlide item={slide.item} isCurrent={offset === 0} /> : undefined,
        controls: () => (caption ? <p className="viewer__words">{caption}</p> : null),
      }}
    />
  );
}
