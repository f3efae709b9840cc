import { lazyPart } from '../../../platform/lazy-part.ts';

export const LazyReportDialog = lazyPart(async () => (await import('./report-dialog.tsx')).ReportDialog);
