import { useState } from 'react';
import { cx } from './class-names.ts';
import { isBroken } from './picture.tsx';

export type Presence = 'on' | 'busy' | 'away' | 'off';

export interface AvatarProps {
  name: string;
  src?: string | null | undefined;
  size?: 's' | 'm' | 'l' | 'xl' | undefined;
  presence?: Presence | undefined;
  presenceLabel?: string | undefined;
  className?: string | undefined;
}

const pixels = { s: 32, m: 44, l: 72, xl: 112 };

export function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return [words[0], last]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase('en');
}

export function Avatar({ name, src, size = 'm', presence, presenceLabel, className }: AvatarProps) {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <span className={cx('avatar', size !== 'm' && `avatar--${size}`, className)} data-on={presence}>
      <span className="avatar__initials" aria-hidden="true">
        {initials(name)}
      </span>
      {src && failed !== src && (
        <img
          src={src}
          alt=""
          width={pixels[size]}
          height={pixels[size]}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(src)}
          ref={(element) => {
            if (isBroken(element)) setFailed(src);
          }}
        />
      )}
      {presenceLabel && <span className="sr-only">{presenceLabel}</span>}
    </span>
  );
}

export function Lamp({ state = 'on', children }: { state?: Presence | 'danger' | undefined; children: string }) {
  return <span className={cx('lamp', state !== 'on' && `lamp--${state}`)}>{children}</span>;
}
