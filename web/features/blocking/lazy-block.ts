/** The dialog that blocks somebody, for whoever opens it from elsewhere: its code comes when it is opened. */
import { lazyPart } from '../../kernel/lazy-part.ts';

export const LazyBlockDialog = lazyPart(async () => (await import('./block-dialog.tsx')).BlockDialog);
