import type { getCaseContent } from '@stagedoor/contract/admin/cases.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { MediaMetadata } from '../../../content/media/index.ts';

export type CaseContentView = ResponseInputOf<typeof getCaseContent>;

export type EvidenceContent = {
  mediaIds: string[];
  /** Documents and voice notes. */
  fileIds: string[];
  broadcastId: string | null;
  media: { metadata: MediaMetadata; alt: string }[];
  files: CaseContentView['files'];
  isDeleted: boolean;
  texts: () => Promise<CaseContentView['texts']>;
  profiles?: (at: string) => { shown: CaseContentView['profiles']; ids: string[] };
};
