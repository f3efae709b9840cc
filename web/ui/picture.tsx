import { type CSSProperties, type ReactNode, useState } from 'react';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import * as texts from './texts.ts';

export interface PictureSource {
  type: string;
  srcSet: string;
}

export interface PictureProps {
  src?: string | null | undefined;
  alt: string;
  width?: number | undefined;
  height?: number | undefined;
  srcSet?: string | undefined;
  sizes?: string | undefined;
  sources?: readonly PictureSource[] | undefined;
  /** A CSS ratio such as '4 / 5'. Default: from width and height. Utilities such as lg:aspect-auto override it. */
  ratio?: string | undefined;
  placeholder?: string | undefined;
  priority?: boolean | undefined;
  fit?: 'cover' | 'contain' | undefined;
  focus?: string | undefined;
  empty?: ReactNode;
  className?: string | undefined;
  style?: CSSProperties | undefined;
  children?: ReactNode;
}

/** An image may have failed before hydration, when its error event had no listener. */
export function isImageBroken(image: HTMLImageElement | null): boolean {
  return image?.complete === true && image.naturalWidth === 0 && image.currentSrc !== '';
}

/**
 * Other content in the layout of a picture: as wide as its space, no taller than most of the window. `ratio` is a CSS
 * ratio.
 */
export function PictureFrame({
  ratio,
  className,
  children,
}: {
  ratio: string;
  className?: string;
  children: ReactNode;
}) {
  const style: CSSProperties & { '--ratio': string } = { '--ratio': ratio };
  return (
    <div className={cx('hung', className)} style={style}>
      {children}
    </div>
  );
}

export function Picture(props: PictureProps) {
  const {
    src,
    alt,
    width,
    height,
    srcSet,
    sizes,
    sources,
    ratio,
    placeholder,
    priority,
    fit,
    focus,
    empty,
    className,
    style,
    children,
  } = props;
  const [failed, setFailed] = useState<string | null>(null);
  const frame: CSSProperties & { '--ratio'?: string } = {
    '--ratio': ratio ?? (width && height ? `${width} / ${height}` : 'auto'),
    background: placeholder && !placeholder.startsWith('url(') ? placeholder : undefined,
    backgroundImage: placeholder?.startsWith('url(') ? placeholder : undefined,
    ...style,
  };
  if (!src || failed === src) {
    return (
      <span
        className={cx('pic', 'pic--none', className)}
        style={{ ...frame, background: undefined, backgroundImage: undefined }}
      >
        {src || empty === undefined ? (
          <span>
            <Icon name="image" />
            {texts.noImage}
          </span>
        ) : (
          empty
        )}
        {children}
      </span>
    );
  }
  const image = (
    <img
      src={src}
      alt={alt}
      width={width}
      height={height}
      srcSet={srcSet}
      sizes={sizes}
      loading={priority ? 'eager' : 'lazy'}
      fetchPriority={priority ? 'high' : undefined}
      decoding={priority ? undefined : 'async'}
      style={focus ? { objectPosition: focus } : undefined}
      onError={() => setFailed(src)}
      ref={(element) => {
        if (isImageBroken(element)) setFailed(src);
      }}
    />
  );
  return (
    <span className={cx('pic', fit === 'contain' && 'pic--contain', className)} style={frame}>
      {sources?.length ? (
        <picture>
          {sources.map((source) => (
            <source key={source.type} type={source.type} srcSet={source.srcSet} sizes={sizes} />
          ))}
          {image}
        </picture>
      ) : (
        image
      )}
      {children}
    </span>
  );
}

export function PictureBadge({ icon, children }: { icon?: IconName | undefined; children: ReactNode }) {
  return (
    <span className="seal num">
      {icon && <Icon name={icon} size={16} />}
      <span className="one-line">{children}</span>
    </span>
  );
}

export function MediaKindIcon({ icon, label }: { icon: IconName; label: string }) {
  return (
    <span className="pic__kind">
      <Icon name={icon} />
      <span className="sr-only">{label}</span>
    </span>
  );
}

export function Cover({ picture, title, children }: { picture: PictureProps; title: ReactNode; children?: ReactNode }) {
  return (
    <section className="cover">
      <Picture {...picture} ratio="auto" />
      <div className="cover__in">
        {title}
        {children && <div className="cover__meta">{children}</div>}
      </div>
    </section>
  );
}
