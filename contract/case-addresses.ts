/** Where people write to us and are answered: the public forms, the help desk of either role, the desk's inbox. Apart from the addresses that every page carries. */

/** A case's number. */
export const REFERENCE = /^SD-[0-9A-Z]{4}-[0-9A-Z]{4}$/;

export const CASE_PATHS = {
  contactUs: '/contact-us',
  complaints: '/complaints',
  copyrightNotice: '/dmca/notice',
  counterNotice: '/dmca/counter',
  fanHelpdesk: '/fan/helpdesk',
  creatorHelpdesk: '/creator/helpdesk',
  adminCases: '/admin/cases',
} as const;

/** How what was written without an account stands, with its number filled in: the address that it came from is asked for. */
export const statusPath = (page: string, reference: string) => `${page}?number=${reference}#status`;

/** Where a counter-notice is written by who has the mail of a removal. `of`: which one, and that they have it. */
export const counterLink = (of: string) => `${CASE_PATHS.counterNotice}?of=${encodeURIComponent(of)}`;

/** A case, as operators see it. */
export const casePath = (caseId: string) => `${CASE_PATHS.adminCases}/${caseId}`;
