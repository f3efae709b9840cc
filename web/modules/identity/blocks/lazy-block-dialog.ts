import { lazyPart } from '../../../platform/lazy-part.ts';

export const LazyBlockDialog = lazyPart(async () => (await import('./block-dialog.tsx')).BlockDialog);
