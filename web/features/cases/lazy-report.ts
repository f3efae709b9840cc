/** The report dialog for whoever opens it from elsewhere: its code comes when it is opened. */
import { lazyPart } from '../../kernel/lazy-part.ts';

export const LazyReportDialog = lazyPart(async () => (await import('./report-dialog.tsx')).ReportDialog);
