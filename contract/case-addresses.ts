/** Where people write to us and are answered: the public forms, the help desk of either role, the desk's inbox. Apart from the addresses that every page carries. */

export const CASE_PATHS = {
  contactUs: '/contact-us',
  complaints: '/complaints',
  fanHelpdesk: '/fan/helpdesk',
  creatorHelpdesk: '/creator/helpdesk',
  adminCases: '/admin/cases',
} as const;

/** A case, as operators see it. */
export const casePath = (caseId: string) => `${CASE_PATHS.adminCases}/${caseId}`;
