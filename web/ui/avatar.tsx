import { useState } from 'react';
import { cx } from './class-names.ts';
import { isImageBroken } from './picture.tsx';

export type PresenceTone = 'on' | 'busy' | 'away' | 'off';

export interface AvatarProps {
  name: string;
  src?: string | null | undefined;
  size?: 's' | 'm' | 'l' | 'xl' | undefined;
  presence?: PresenceTone | undefined;
  presenceLabel?: string | undefined;
  className?: string | undefined;
}

const pixels = { s: 32, m: 44, l: 72, xl: 112 };

export function getInitials(name: string): string {
  const parts = name.trim().split(/\s+/u);
  const last = parts.length > 1 ? parts.at(-1) : undefined;
  return [parts[0], last]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase('en');
}

export function Avatar({ name, src, size = 'm', presence, presenceLabel, className }: AvatarProps) {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <span className={cx('avatar', size !== 'm' && `avatar--${size}`, className)} data-on={presence}>
      <span className="avatar__initials" aria-hidden="true">
        {getInitials(name)}
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
            if (isImageBroken(element)) setFailed(src);
          }}
        />
      )}
      {presenceLabel && <span className="sr-only">{presenceLabel}</span>}
    </span>
  );
}

export function StatusDot({
  state = 'on',
  children,
}: {
  state?: PresenceTone | 'danger' | undefined;
  children: string;
}) {
  return <span className={cx('lamp', state !== 'on' && `lamp--${state}`)}>{children}</span>;
}
