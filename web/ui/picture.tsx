// A picture with its room reserved: ratio, blurred stand-in, formats by preference, and a plain tile when there is nothing to show.
// Seals and kinds are hung on it as children.
import { type CSSProperties, type ReactNode, useState } from 'react';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

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
  /** Better formats first, e.g. AVIF. */
  sources?: readonly PictureSource[] | undefined;
  /** CSS ratio such as '4 / 5'; without it, width and height decide. Utilities such as lg:aspect-auto override it. */
  ratio?: string | undefined;
  /** A CSS background behind the picture until it arrives: a colour or `url(data:…)`. */
  placeholder?: string | undefined;
  /** First on screen: loaded eagerly and with high priority. */
  priority?: boolean | undefined;
  fit?: 'cover' | 'contain' | undefined;
  /** CSS object-position, e.g. '50% 30%'. */
  focus?: string | undefined;
  /** What stands where there is no picture to show. Default: the words 'No image found', also when one fails to load. */
  empty?: ReactNode;
  className?: string | undefined;
  style?: CSSProperties | undefined;
  children?: ReactNode;
}

/** An image may have failed before the page came alive, and says so to nobody. */
export function isBroken(image: HTMLImageElement | null): boolean {
  return image?.complete === true && image.naturalWidth === 0 && image.currentSrc !== '';
}

/** Something else than a picture, hung as pictures are: as wide as its room, no taller than most of the window. `ratio` as CSS has it. */
export function Hung({ ratio, className, children }: { ratio: string; className?: string; children: ReactNode }) {
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
            No image found
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
        if (isBroken(element)) setFailed(src);
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

/** The paper seal, flush in the lower left corner: a lock and a price, or a length. */
export function Seal({ icon, children }: { icon?: IconName | undefined; children: ReactNode }) {
  return (
    <span className="seal num">
      {icon && <Icon name={icon} size={16} />}
      <span className="one-line">{children}</span>
    </span>
  );
}

/** What kind of thing hangs here, in the upper right corner. */
export function Kind({ icon, label }: { icon: IconName; label: string }) {
  return (
    <span className="pic__kind">
      <Icon name={icon} />
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** A wide picture with white words over its own gradient, in both themes. */
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
