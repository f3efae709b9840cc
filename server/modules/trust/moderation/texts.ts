// abuse-limits
export const tooManyMessagesError =
  'You’ve sent a lot of messages. We read them all. Wait a while before sending another.';

// access
export const ownCaseDecisionError = 'You opened this case. Someone else must decide.';
export const caseAboutYouError = 'This case is about you. Someone else must decide.';
export const caseAboutStaffError = 'This case is about a staff member. Staff can’t be moderated here.';
export const ownDecisionAppealError = 'You made the decision being appealed. Someone else must decide.';
export const rolesDisallowDecisionError = 'Your roles don’t allow deciding this.';
export const refundsHandledByFinance = 'Refunds are handled by finance. Send the case to them.';
export const alreadyDecidedBySomeone = 'Someone else already decided this.';
export const actionUnavailableForCase = 'This action isn’t available for this case.';
export const cannotReopenCase = 'You can’t reopen this case.';

// admin/decide
export const deletionContinuesNote =
  '\n\nYour account will still be deleted as you requested. Log in before then to keep it.';
export const decisionReversedMessage = 'This was reversed:\n\n{decision}\n\n{reason}{deletionNote}';
export const noLongerExists = 'This no longer exists.';
export const alreadyReversedBySomeone = 'Someone else already reversed this.';
export const cannotReverseDecision = 'You can’t reverse this.';

// admin/decision-input
export const enterNumberOfDays = 'Enter the number of days.';
export const selectWhatToRemove = 'Select what to remove.';

// admin/effects
export const blockedLoginMessage = '{decision} {reason} If you think this is a mistake, contact us.';

// admin/inbox
export const invalidOffset = 'Invalid offset';

// admin/later-duplicates
export const removedFileUploadedAgain = 'Removed file uploaded again: {title}';
export const duplicateUploadNote = 'A file removed in {reference} was uploaded again. It’s blocked for everyone.';

// admin/notify
export const copyrightClaimUpheld =
  'We removed it and all identical copies. We told the person who posted it about your claim. If they send a counter-notice, we’ll forward it to you.';
export const reportActionConfirmation = 'Thanks for reporting this. We reviewed it and took action.';
export const reportReopenedNotice = 'We closed this too early. We’re reviewing it again and will email you.';

// admin/open-case
export const postUnderReview = 'Post under review{titleSuffix}';
export const userUnderReview = 'User under review: {title}';
export const seenInCaseNote = '{reason}\n\nSeen in {reference}';

// admin/refund-approvals
export const refundDecisionEntry = 'refund: {total}. {reason}';

// admin/refunds
export const selectPurchasesToRefund = 'Select the purchases to refund.';
export const alreadyRefundedInFull = 'This was already refunded in full.';

// admin/reopen
export const alreadyReopenedBySomeone = 'Someone else already reopened this.';
export const reportedAgainSinceError = 'This was reported again since, and that case is open.';
export const dismissedCaseMergedNote = '{reference}, which was dismissed, is to be decided with this.';

// admin/workflow
export const caseAlreadyClosed = 'This case is already closed.';
export const caseAlreadyInQueue = 'This case is already in that queue.';
export const noPurchasesLeftToRefund = 'There are no purchases left to refund.';
export const sentToFinance = 'Sent to finance';
export const returnedToItsQueue = 'Returned to its queue';
export const caseHasNoReplies = 'You can’t reply to this type of case. Decide it instead.';
export const alreadyClosedBySomeone = 'Someone else already closed this.';

// appeals
export const appealTitle = 'Appeal: {title}';
export const appealUnavailable = 'This can no longer be appealed.';
export const alreadyAppealed = 'You’ve already appealed this.';
export const differentReviewerConfirmation = 'A different person will review it. Reference: {reference}.';

// pictures
export const chooseImage = 'Choose an image.';
export const imageTooSmall = 'This image is too small.';
export const tooManyUnsentImages = 'Too many unsent images. Try again tomorrow.';

// privacy-hooks
export const messagesExportLabel = 'Messages to Stagedoor';
export const messagesExportDescription = 'Your questions and reports with our replies, newest first.';
export const decisionsExportLabel = 'Decisions on your account';
export const decisionsExportDescription =
  'Our decisions on your account and content, with reasons. For your profile, also what it showed at the time.';

// profile-snapshots
export const profileJustChangedError = 'They just changed it. Reload and check again.';

// report-appeals
export const nothingToReview = 'There’s nothing to review.';
export const reviewRequestTooLate = 'It’s too late to request a review.';
export const reviewAlreadyRequested = 'You’ve already requested a review.';
export const secondReviewFinalError = 'This was already reviewed a second time. The decision stands.';

// report-subjects
export const postTypeWithFileCount = '{type}, {count} files';

// report
export const cannotReportYourself = 'You can’t report yourself.';
export const reportTitle = '{subject} reported{titleSuffix}';
export const reportConfirmation = 'Thanks, we’ll review it. Reference: {reference}.';
