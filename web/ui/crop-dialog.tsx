import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import * as texts from './texts.ts';

/** Left edge, top edge and side, as fractions (0 to 1) of the picture's width, height and shorter side. */
export interface CropSquare {
  x: number;
  y: number;
  side: number;
}

export interface CropDialogProps {
  /** An object URL of the file. The caller must revoke it. */
  url: string;
  title: string;
  confirmText: string;
  busy?: boolean | undefined;
  busyText?: string | undefined;
  /** The square is undefined if this browser cannot display the file. The server then uses the middle. */
  onConfirm: (square: CropSquare | undefined) => void;
  onClose: () => void;
}

type Size = { width: number; height: number };
/** The center of the square, as fractions of width and height. */
type View = { x: number; y: number; zoom: number };

const MAX_ZOOM = 4;
const STEP = 0.02;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

export function toSquare({ x, y, zoom }: View, { width, height }: Size): CropSquare {
  const side = 1 / zoom;
  const pixels = side * Math.min(width, height);
  const clamp = (middle: number, length: number) =>
    Math.min(Math.max(middle * length - pixels / 2, 0), length - pixels) / length;
  return { x: clamp(x, width), y: clamp(y, height), side };
}

function toView({ x, y, side }: CropSquare, { width, height }: Size): View {
  const pixels = side * Math.min(width, height);
  return { x: x + pixels / 2 / width, y: y + pixels / 2 / height, zoom: 1 / side };
}

function Cropper({ url, size, view, onView }: { url: string; size: Size; view: View; onView: (view: View) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<{ x: number; y: number }>(undefined);
  // The dialog opened before the picture was measured, so the focus is set here.
  useEffect(() => box.current?.focus(), []);
  const square = toSquare(view, size);
  const pixels = square.side * Math.min(size.width, size.height);
  const moveTo = (next: View) => onView(toView(toSquare(next, size), size));
  const drag = (event: PointerEvent) => {
    if (!last.current || !box.current) return;
    // Picture pixels per screen pixel.
    const rate = pixels / box.current.clientWidth;
    const delta = { x: event.clientX - last.current.x, y: event.clientY - last.current.y };
    last.current = { x: event.clientX, y: event.clientY };
    moveTo({ ...view, x: view.x - (delta.x * rate) / size.width, y: view.y - (delta.y * rate) / size.height });
  };
  const handleKey = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    moveTo({ ...view, x: view.x + arrow[0], y: view.y + arrow[1] });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: no element stands for a picture that is moved
    <div
      ref={box}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the picture
      tabIndex={0}
      aria-label={texts.visibleAreaHint}
      className="relative mx-auto aspect-square w-full max-w-[320px] cursor-grab touch-none overflow-hidden rounded-full bg-surface-2 select-none active:cursor-grabbing"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        last.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        last.current = undefined;
      }}
      onPointerCancel={() => {
        last.current = undefined;
      }}
      onKeyDown={handleKey}
    >
      <img
        src={url}
        alt=""
        draggable={false}
        className="absolute top-0 left-0 max-w-none"
        style={{
          width: `${(size.width / pixels) * 100}%`,
          transform: `translate(${-square.x * 100}%, ${-square.y * 100}%)`,
        }}
      />
    </div>
  );
}

export function CropDialog({ url, title, confirmText, busy, busyText, onConfirm, onClose }: CropDialogProps) {
  const [size, setSize] = useState<Size>();
  const [isUnreadable, setUnreadable] = useState(false);
  const [view, setView] = useState<View>({ x: 0.5, y: 0.5, zoom: 1 });
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title={title} locked={busy}>
      {size ? (
        <>
          <Cropper url={url} size={size} view={view} onView={setView} />
          <label className="mt-4 grid gap-1 text-small font-semibold">
            {texts.zoom}
            <input
              type="range"
              className="h-11 w-full accent-ink"
              min={1}
              max={MAX_ZOOM}
              step={0.05}
              value={view.zoom}
              onChange={(event) => {
                const zoomed = { ...view, zoom: Number(event.currentTarget.value) };
                setView(toView(toSquare(zoomed, size), size));
              }}
            />
          </label>
        </>
      ) : (
        <p className="text-muted">{isUnreadable ? texts.photoPreviewError : texts.openingPhoto}</p>
      )}
      {!size && !isUnreadable && (
        <img
          src={url}
          alt=""
          className="sr-only"
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            width > 0 && height > 0 ? setSize({ width, height }) : setUnreadable(true)
          }
          onError={() => setUnreadable(true)}
        />
      )}
      <div className="dialog__acts">
        <Button
          variant="primary"
          size="lg"
          wide
          disabled={!size && !isUnreadable}
          busy={busy ?? false}
          busyText={busyText}
          onClick={() => onConfirm(size && toSquare(view, size))}
        >
          {confirmText}
        </Button>
        <Button variant="quiet" wide disabled={busy} onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}

export function setCropFields(form: FormData, square: CropSquare | undefined): void {
  if (!square) return;
  form.set('cropX', String(square.x));
  form.set('cropY', String(square.y));
  form.set('cropSide', String(square.side));
}

const PREVIEW_PX = 224;

/**
 * Returns an object URL of the cropped square for a preview. The caller must revoke it. Undefined if it cannot be
 * drawn.
 */
export async function cropToObjectUrl(url: string, { x, y, side }: CropSquare): Promise<string | undefined> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = PREVIEW_PX;
  canvas.height = PREVIEW_PX;
  const { naturalWidth: width, naturalHeight: height } = image;
  const pixels = side * Math.min(width, height);
  canvas.getContext('2d')?.drawImage(image, x * width, y * height, pixels, pixels, 0, 0, PREVIEW_PX, PREVIEW_PX);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  return blob ? URL.createObjectURL(blob) : undefined;
}
