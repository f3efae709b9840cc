// canned-responses
export const templatesLimit = 'You can save up to {max} templates.';

// contact
export const messageCaseTitle = 'Message from {name}';
export const logInToAttachPhotos = 'Log in again to attach photos.';
export const complaintSubject = ' about a {subject}';
export const complaintReceipt = 'Thanks, we’ve received your complaint. Reference: {reference}.';

// status
export const noMatchingCase = 'No case found with this reference and email.';
export const caseClosedStartNew = 'This request is closed. Start a new one.';
export const replyByEmailConfirmation = 'Thanks, we’ll reply by email.';

// tickets
export const userClosedTicketReason = 'The user closed the request.';
