// A preview in an iframe with its own viewport width, scaled down to fit, so that it lays out as on that screen.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

export interface PreviewFrameProps {
  title: string;
  /** The viewport size in CSS pixels. */
  width: number;
  height: number;
  theme?: 'light' | 'dark' | undefined;
  children: ReactNode;
}

function copyStyles(from: Document, to: Document): void {
  to.documentElement.lang = from.documentElement.lang;
  const { theme } = from.documentElement.dataset;
  if (theme) to.documentElement.dataset.theme = theme;
  for (const node of from.head.querySelectorAll('style, link[rel="stylesheet"]')) to.head.append(node.cloneNode(true));
}

function setFrameTheme({ ownerDocument }: HTMLElement, theme: 'light' | 'dark'): void {
  ownerDocument.documentElement.dataset.theme = theme;
}

export function PreviewFrame({ title, width, height, theme, children }: PreviewFrameProps) {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [body, setBody] = useState<HTMLElement>();
  const [scale, setScale] = useState<number>();

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const open = () => {
      const inner = element.contentDocument;
      if (!inner || inner.body.dataset.furnished) return;
      inner.body.dataset.furnished = 'yes';
      copyStyles(document, inner);
      setBody(inner.body);
    };
    open();
    // Some browsers replace the document once the frame has loaded.
    element.addEventListener('load', open);
    return () => element.removeEventListener('load', open);
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setScale(Math.min(1, element.clientWidth / width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [width]);

  useEffect(() => {
    if (body && theme) setFrameTheme(body, theme);
  }, [body, theme]);

  return (
    <div ref={box} className="overflow-hidden" style={{ height: scale === undefined ? undefined : height * scale }}>
      <iframe
        ref={frame}
        title={title}
        tabIndex={-1}
        className="mx-auto block origin-top-left border-0"
        style={{
          width,
          height,
          transform: `scale(${scale ?? 1})`,
          visibility: scale === undefined ? 'hidden' : undefined,
        }}
      />
      {body && createPortal(<div inert>{children}</div>, body)}
    </div>
  );
}
