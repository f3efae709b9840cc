/**
 * Where the frame of visitors' pages comes from: the server hands it in and has it at once; browsers load it only where a visitor's
 * page comes alive, so that nobody who is logged in carries it.
 */
import type { ComponentType } from 'react';
import { lazyPart } from '../kernel/lazy-part.ts';
import type { VisitorFrameProps } from './visitor-frame.tsx';

const Later: ComponentType<VisitorFrameProps> = lazyPart(
  async () => (await import('./visitor-frame.tsx')).VisitorFrame,
);

/** The server's entry puts its own here, once. */
export const visitors = { Frame: Later };
/** Who acts for a creator has theirs from the same place: what hardly anybody needs comes as one. */
export const ActingFrame = lazyPart(async () => (await import('./visitor-frame.tsx')).ActingFrame);
