import { PATHS } from '@stagedoor/contract/addresses.ts';
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import './verification.css';
import { IconButton } from '../../ui/button.tsx';
import { numberOf, type Place, placeAddress, STEP_COUNT } from './steps.ts';

export interface StepFrameProps {
  place: Place;
  before: Place | undefined;
  caption?: string | undefined;
  /** How many steps are done or current. Default: all steps up to the current one. */
  reached?: number | undefined;
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  foot?: ReactNode;
}

function onlyOnce(): () => boolean {
  let isFirst = true;
  return () => {
    const was = isFirst;
    isFirst = false;
    return was;
  };
}

const FirstSight = createContext((): boolean => false);

export function Steps({ children }: { children: ReactNode }) {
  const [isFirst] = useState(onlyOnce);
  return <FirstSight value={isFirst}>{children}</FirstSight>;
}

/** Moves the focus to the title when the step changes, so that screen readers read it, but not on the first step. */
function useHeadFocus(title: string) {
  const head = useRef<HTMLHeadingElement>(null);
  const isFirst = use(FirstSight);
  useEffect(() => {
    if (title && !isFirst()) head.current?.focus({ preventScroll: true });
  }, [title, isFirst]);
  return head;
}

export function StepFrame({ place, before, caption, reached, title, lead, children, foot }: StepFrameProps) {
  const head = useHeadFocus(title);
  const number = numberOf(place);
  return (
    <div className="v-step">
      <div className="v-step__bar">
        {before === undefined ? <span /> : <IconButton icon="chevron-left" label="Back" href={placeAddress(before)} />}
        <span className="num">{caption ?? `Step ${number} of ${STEP_COUNT}`}</span>
        <IconButton icon="close" label="Save and close" href={PATHS.creatorDashboard} />
      </div>
      <div className="v-stepper" aria-hidden="true">
        {Array.from({ length: STEP_COUNT }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: marks without identity
          <i key={index} data-on={index < (reached ?? number) ? '' : undefined} />
        ))}
      </div>
      <div className="v-step__in">
        <h1 ref={head} tabIndex={-1} className="display d3 wrap-anywhere focus:outline-none">
          {title}
        </h1>
        {lead !== undefined && <p className="pt-2 text-note text-muted">{lead}</p>}
        {children}
      </div>
      {foot !== undefined && <div className="v-step__foot">{foot}</div>}
    </div>
  );
}
