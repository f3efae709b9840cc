/** Paths for support and moderation, separate so that other pages do not load them. */

export const CASE_REFERENCE_PATTERN = /^SD-[0-9A-Z]{4}-[0-9A-Z]{4}$/;

export const CASE_PATHS = {
  contactUs: '/contact-us',
  complaints: '/complaints',
  copyrightNotice: '/dmca/notice',
  counterNotice: '/dmca/counter',
  fanHelpdesk: '/fan/helpdesk',
  creatorHelpdesk: '/creator/helpdesk',
  adminCases: '/admin/cases',
} as const;

/** The page also has a field for the sender's e-mail address. */
export const caseStatusPath = (page: string, reference: string) => `${page}?number=${reference}#status`;

/** `token` is signed and comes from the removal mail. */
export const counterNoticePath = (token: string) => `${CASE_PATHS.counterNotice}?token=${encodeURIComponent(token)}`;

export const casePath = (caseId: string) => `${CASE_PATHS.adminCases}/${caseId}`;
