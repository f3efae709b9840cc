import type { ReactNode } from 'react';

export interface ThemeProps {
  theme: string;
}

export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="gallery__group">
      <h2 className="display d4">{title}</h2>
      {children}
    </section>
  );
}

export function GalleryLine({ children }: { children: ReactNode }) {
  return <div className="gallery__line">{children}</div>;
}

export function createDrawing(hue: number, width = 800, height = 1000): string {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMid slice">` +
    `<defs><radialGradient id="w" cx=".6" cy=".3" r="1"><stop stop-color="oklch(.62 .13 ${hue})"/><stop offset="1" stop-color="oklch(.22 .07 ${hue})"/></radialGradient>` +
    `<linearGradient id="b" x2="1" y2=".4"><stop stop-color="oklch(.9 .06 ${hue + 60})"/><stop offset="1" stop-color="oklch(.3 .08 ${hue + 40})"/></linearGradient></defs>` +
    `<path fill="url(#w)" d="M0 0h${width}v${height}H0z"/><circle cx="${width / 2}" cy="${height * 0.46}" r="${Math.min(width, height) * 0.26}" fill="url(#b)"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
