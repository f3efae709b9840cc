import type { PointerEvent } from 'react';
import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { begun, drawn, pathOf, pointOf, SHEET, type Strokes } from './signature.ts';

export function SignaturePad({ strokes, onChange }: { strokes: Strokes; onChange: (strokes: Strokes) => void }) {
  const held = useRef<number>(undefined);
  const pointAt = (event: PointerEvent<SVGSVGElement>) => pointOf(event, event.currentTarget.getBoundingClientRect());
  const letGo = () => {
    held.current = undefined;
  };
  return (
    <div className="pt-2">
      <p className="v-bar text-small font-semibold">
        <span>Sign with your finger, a pen or your mouse</span>
        <Button variant="quiet" className="-mr-2.5" disabled={strokes.length === 0} onClick={() => onChange([])}>
          Clear
        </Button>
      </p>
      <svg
        className="v-sign"
        viewBox={`0 0 ${SHEET.width} ${SHEET.height}`}
        role="img"
        aria-label={strokes.length === 0 ? 'Signature pad, empty' : 'Your signature'}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          held.current = event.pointerId;
          onChange(begun(strokes, pointAt(event)));
        }}
        onPointerMove={(event) => {
          if (held.current === event.pointerId) onChange(drawn(strokes, pointAt(event)));
        }}
        onPointerUp={letGo}
        onPointerCancel={letGo}
      >
        <line x1="40" x2="960" y1="240" y2="240" />
        {strokes.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added at the end
          <path key={index} d={pathOf(line)} />
        ))}
      </svg>
    </div>
  );
}
