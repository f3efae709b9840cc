/** What cases tell after a commit: people are told what was decided about them, and that they were answered. */
import type { Measure } from '@stagedoor/contract/case-kinds.ts';

declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A measure was taken against somebody, or taken back. `words`: what was done, in a sentence. */
    'case.decided': { userId: string; decisionId: string; act: Measure; isUndone: boolean; words: string };
    /** What somebody wrote to us was answered, or is settled. `note`: `answered`, `acted`, `nothing`. */
    'case.answered': { userIds: string[]; caseId: string; note: CaseNote };
    /** The same file as somebody else's that was removed went from these people's, or came back. */
    'case.copied': { userIds: string[]; isBack: boolean };
  }
}

/**
 * Of a ticket: it was answered; of what was not asked in the help desk: by mail. Of a report or an appeal: something was done, or nothing;
 * of a report `again`: it is looked at once more.
 */
export type CaseNote = 'answered' | 'mailed' | 'acted' | 'nothing' | 'again' | 'upheld' | 'overturned';
