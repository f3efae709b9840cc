/**
 * Applies a creator's theme to its children: tokens as custom properties and the rules of the display font. Money keeps
 * the platform's style.
 */
import './themes.css';
import type { Palette } from '@stagedoor/contract/content/theme-colours.ts';
import type { ThemeAppearance, TypePair } from '@stagedoor/contract/content/themes.ts';
import type { CSSProperties, ReactNode } from 'react';
import { cx } from '../../../ui/class-names.ts';
import { THEME_FACES } from '../../../ui/fonts/theme-faces.ts';

type ThemeStyle = CSSProperties & Record<`--${string}`, string>;

function toSideStyle(palette: Palette, side: 'day' | 'night'): ThemeStyle {
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

const findThemeFont = (type: TypePair) => (type === 'signage' ? undefined : THEME_FACES[type]);

/** Returns the preload link for the theme's font file. The platform's own fonts are already preloaded. */
export function listFontPreloads(
  appearance: ThemeAppearance | null,
): { tagName: 'link'; [attribute: string]: string }[] {
  const font = appearance ? findThemeFont(appearance.type) : undefined;
  if (!font) return [];
  return [
    { tagName: 'link', rel: 'preload', href: font.first, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  ];
}

/** The contract allows only known numbers and colours in a theme, so no other CSS can be injected. */
export function Themed({
  appearance,
  className,
  children,
}: {
  appearance: ThemeAppearance | null;
  className?: string | undefined;
  children: ReactNode;
}) {
  if (!appearance) return children;
  const { type, radius, cover, light, dark } = appearance;
  const font = findThemeFont(type);
  const style: ThemeStyle = { ...toSideStyle(light, 'day'), ...toSideStyle(dark, 'night'), '--r-1': `${radius}px` };
  return (
    <div className={cx('themed', className)} data-type={type} data-cover={cover} style={style}>
      {font && <style>{font.rules}</style>}
      {children}
    </div>
  );
}
