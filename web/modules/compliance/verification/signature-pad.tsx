import type { PointerEvent } from 'react';
import { useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import {
  extendStroke,
  SIGNATURE_CANVAS,
  type Strokes,
  startStroke,
  toSignaturePath,
  toSignaturePoint,
} from './signature.ts';
import * as texts from './texts.ts';

export function SignaturePad({ strokes, onChange }: { strokes: Strokes; onChange: (strokes: Strokes) => void }) {
  const activePointer = useRef<number>(undefined);
  const toPoint = (event: PointerEvent<SVGSVGElement>) =>
    toSignaturePoint(event, event.currentTarget.getBoundingClientRect());
  const release = () => {
    activePointer.current = undefined;
  };
  return (
    <div className="pt-2">
      <p className="v-bar text-small font-semibold">
        <span>{texts.signaturePadHint}</span>
        <Button variant="quiet" className="-mr-2.5" disabled={strokes.length === 0} onClick={() => onChange([])}>
          {texts.clear}
        </Button>
      </p>
      <svg
        className="v-sign"
        viewBox={`0 0 ${SIGNATURE_CANVAS.width} ${SIGNATURE_CANVAS.height}`}
        role="img"
        aria-label={strokes.length === 0 ? texts.signaturePadEmpty : texts.yourSignature}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          activePointer.current = event.pointerId;
          onChange(startStroke(strokes, toPoint(event)));
        }}
        onPointerMove={(event) => {
          if (activePointer.current === event.pointerId) onChange(extendStroke(strokes, toPoint(event)));
        }}
        onPointerUp={release}
        onPointerCancel={release}
      >
        <line x1="40" x2="960" y1="240" y2="240" />
        {strokes.map((stroke, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added at the end
          <path key={index} d={toSignaturePath(stroke)} />
        ))}
      </svg>
    </div>
  );
}
