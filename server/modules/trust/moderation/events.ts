import type { Measure } from '@stagedoor/contract/trust/case-kinds.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** `description` describes the measure in a sentence. */
    'case.decided': { userId: string; decisionId: string; action: Measure; isUndone: boolean; description: string };
    'case.answered': { userIds: string[]; caseId: string; note: CaseNote };
    /** The file is identical to a removed file of another user. */
    'case.copied': { userIds: string[]; isRestored: boolean };
  }
}

/**
 * `answered`: a ticket got a reply. `mailed`: another case got a reply by mail. `acted`, `nothing`: the outcome of a
 * report. `again`: a report is reviewed again. `upheld`, `overturned`: the outcome of an appeal.
 */
export type CaseNote = 'answered' | 'mailed' | 'acted' | 'nothing' | 'again' | 'upheld' | 'overturned';
