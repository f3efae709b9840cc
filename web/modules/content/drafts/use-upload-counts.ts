import { useEffect, useState } from 'react';
import type { UploadCounts } from './upload-counts.ts';

const NO_UPLOADS: UploadCounts = { uploading: 0, stopped: 0 };

/** Empty until the page is hydrated. Stored uploads are read by code that the page itself does not need. */
export function useUploadCounts(): (draftId: string) => UploadCounts {
  const [counts, setCounts] = useState<ReadonlyMap<string, UploadCounts>>(new Map());
  useEffect(() => {
    let isCurrent = true;
    const update = () =>
      void import('./upload-counts.ts')
        .then(({ readUploadCounts }) => readUploadCounts())
        .then(
          (current) => isCurrent && setCounts(current),
          () => undefined,
        );
    update();
    // Another tab has started or completed an upload.
    addEventListener('storage', update);
    return () => {
      isCurrent = false;
      removeEventListener('storage', update);
    };
  }, []);
  return (draftId) => counts.get(draftId) ?? NO_UPLOADS;
}
