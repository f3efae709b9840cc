/**
 * Applies a creator's theme to its children: tokens as custom properties and the rules of the display font. Money keeps
 * the platform's style.
 */
import './themes.css';
import type { Palette } from '@stagedoor/contract/theme-colours.ts';
import type { ThemeLook, TypePair } from '@stagedoor/contract/themes.ts';
import type { CSSProperties, ReactNode } from 'react';
import { cx } from '../../ui/class-names.ts';
import { THEME_FACES } from '../../ui/fonts/theme-faces.ts';

type Custom = CSSProperties & Record<`--${string}`, string>;

function sideOf(palette: Palette, side: 'day' | 'night'): Custom {
  const { isDark, raised } = palette;
  return {
    [`--${side}-scheme`]: isDark ? 'dark' : 'light',
    [`--${side}-0`]: palette.surface,
    [`--${side}-1`]: raised[0],
    [`--${side}-2`]: raised[1],
    [`--${side}-3`]: raised[2],
    [`--${side}-text`]: palette.text,
    [`--${side}-muted`]: palette.muted,
    [`--${side}-line`]: palette.line,
    [`--${side}-edge`]: palette.edge,
    [`--${side}-tint`]: palette.accent,
    [`--${side}-on`]: palette.onAccent,
    [`--${side}-success`]: palette.success,
    [`--${side}-warn`]: palette.warn,
    [`--${side}-danger`]: palette.danger,
  };
}

const faceOf = (type: TypePair) => (type === 'signage' ? undefined : THEME_FACES[type]);

/** Returns the preload link for the theme's font file. The platform's own fonts are already preloaded. */
export function facePreload(look: ThemeLook | null): { tagName: 'link'; [attribute: string]: string }[] {
  const face = look ? faceOf(look.type) : undefined;
  if (!face) return [];
  return [
    { tagName: 'link', rel: 'preload', href: face.first, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  ];
}

/** The contract allows only known numbers and colours in a theme, so no other CSS can be injected. */
export function Themed({
  look,
  className,
  children,
}: {
  look: ThemeLook | null;
  className?: string | undefined;
  children: ReactNode;
}) {
  if (!look) return children;
  const { type, radius, cover, light, dark } = look;
  const face = faceOf(type);
  const style: Custom = { ...sideOf(light, 'day'), ...sideOf(dark, 'night'), '--r-1': `${radius}px` };
  return (
    <div className={cx('themed', className)} data-type={type} data-cover={cover} style={style}>
      {face && <style>{face.rules}</style>}
      {children}
    </div>
  );
}
