import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import './verification.css';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { IconButton } from '../../../ui/button.tsx';
import { getStepNumber, STEP_COUNT, toPagePath, type VerificationPageName } from './steps.ts';
import * as texts from './texts.ts';

export interface StepFrameProps {
  page: VerificationPageName;
  previousPage: VerificationPageName | undefined;
  caption?: string | undefined;
  /** How many steps are done or current. Default: all steps up to the current one. */
  reached?: number | undefined;
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  foot?: ReactNode;
}

function createFirstCheck(): () => boolean {
  let isFirst = true;
  return () => {
    const was = isFirst;
    isFirst = false;
    return was;
  };
}

const FirstStepContext = createContext((): boolean => false);

export function VerificationSteps({ children }: { children: ReactNode }) {
  const [isFirst] = useState(createFirstCheck);
  return <FirstStepContext value={isFirst}>{children}</FirstStepContext>;
}

/** Moves the focus to the title when the step changes, so that screen readers read it, but not on the first step. */
function useTitleFocus(title: string) {
  const head = useRef<HTMLHeadingElement>(null);
  const isFirst = use(FirstStepContext);
  useEffect(() => {
    if (title && !isFirst()) head.current?.focus({ preventScroll: true });
  }, [title, isFirst]);
  return head;
}

export function StepFrame({ page, previousPage, caption, reached, title, lead, children, foot }: StepFrameProps) {
  const head = useTitleFocus(title);
  const number = getStepNumber(page);
  return (
    <div className="v-step">
      <div className="v-step__bar">
        {previousPage === undefined ? (
          <span />
        ) : (
          <IconButton icon="chevron-left" label={texts.back} href={toPagePath(previousPage)} />
        )}
        <span className="num">
          {caption ?? formatText(texts.stepProgress, { step: number, stepCount: STEP_COUNT })}
        </span>
        <IconButton icon="close" label={texts.saveAndClose} href={PATHS.creatorDashboard} />
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
