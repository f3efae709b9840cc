/**
 * Where the frame of visitors' pages comes from, and what the house says atop a page: the server hands them in and has them at once, also
 * for pages without script; browsers load them only where a page that has them comes alive.
 */
import type { HouseSaid } from '@stagedoor/contract/page-frame.ts';
import type { ComponentType } from 'react';
import { lazyPart } from '../kernel/lazy-part.ts';
import type { VisitorFrameProps } from './visitor-frame.tsx';

const Later: ComponentType<VisitorFrameProps> = lazyPart(
  async () => (await import('./visitor-frame.tsx')).VisitorFrame,
);

const NoticesLater: ComponentType<HouseSaid> = lazyPart(
  async () => (await import('../features/house/notices.tsx')).Notices,
);

/** The server's entry puts its own here, once. */
export const visitors = { Frame: Later, Notices: NoticesLater };
/** Who acts for a creator has theirs from the same place: what hardly anybody needs comes as one. */
export const ActingFrame = lazyPart(async () => (await import('./visitor-frame.tsx')).ActingFrame);
