// admin-case
export const reportEntry = 'Reported';
export const messageEntry = 'Message';
export const reply = 'Reply';
export const noteEntry = 'Note';
export const assignedEntry = 'Assigned';
export const decided = 'Decided';
export const reversedEntry = 'Reversed';
export const history = 'History';
export const writtenByTeamMember = ', written by @{member} of their team';
export const imageSize = 'Image {index}, {width} × {height}';
export const noteAdded = 'Note added.';
export const internalNote = 'Internal note';
export const onlyStaffCanSeeThis = 'Only staff can see this.';
export const adding = 'Adding…';
export const addNote = 'Add note';
export const working = 'Working…';
export const unassign = 'Unassign';
export const assignToMe = 'Assign to me';
export const reassignFrom = '@{username}: reassign to me';
export const firstOfReports = 'First of {count} reports, from {userCount}';
export const shownPurchaseCount = '{shownCount} of {purchaseCount}';
export const appealing = 'Appealing';
export const subject = 'Subject';
export const sender = 'Sender';
export const fromNoAccount = 'From {from}, {fromEmail}, no account{verification}';
export const unverifiedEmail = ' (unverified email)';
export const unassignedStatus = 'Unassigned.';
export const assignedToYouStatus = 'Assigned to you.';
export const backToCases = 'Back to cases';
export const alreadyDecided = 'This was decided.';
export const conversation = 'Conversation';
export const reportedContent = 'Reported content';
export const decisionBeingAppealed = 'Decision being appealed';
export const theDecision = 'The decision';
export const people = 'People';
export const purchases = 'Purchases';
export const morePurchasesHint = 'More appear as you refund these.';
export const decisions = 'Decisions';
export const previousDecisions = 'Previous decisions';

// case-content
export const text = 'Text';
export const asReported = 'As reported';
export const files = 'Files';
export const voiceNote = 'Voice message';
export const picture = 'Picture';
export const cover = 'Cover';
export const asItIsNow = 'As it is now';
export const asItWasOn = 'As it was on {date}';
export const photos = 'Photos';
export const photo = 'Photo';
export const call = 'Call';
export const noLongerVisible = 'No longer visible to others.';
export const showContent = 'Show {content}';
export const viewRecordedHint = 'Your view is recorded in the audit log.';
export const identicalCopies = 'Identical copies';
export const allDetails = 'All details';
export const openInConsole = 'Open in console';
export const publicPage = 'Public page';
export const open = 'Open';

// case-decision
export const scope = 'Scope';
export const yourMessageNote = 'Your message.';
export const reporterDismissalNote = 'The reporter is told it doesn’t break our rules.';
export const removeFilesNote =
  'Removes the files for everyone, including buyers. For a broadcast, from every chat. Can be reversed until the files are erased.';
export const refundNote =
  'Refunds to the buyer’s balance. The creator’s share is deducted from their earnings, or owed if already paid out. The case stays open. Can’t be reversed.';
export const restoreContentNote = 'Restores the content unless another decision applies. Both sides are notified.';
export const proofReceivedNote = 'Describe the proof you received. Both sides are notified.';
export const reverseDecisionNote = 'Reverses the decision and notifies the user.';
export const reopenDismissedNote = 'Reopens the dismissed case and assigns it to you.';
export const removeProfilePartNote = 'Removes it for everyone. They can upload something else. Can be reversed.';
export const remove = 'Remove';
export const noText = 'No text.';
export const awaitingSecondApproval = '{reference}: awaiting second approval.';
export const action = 'Action';
export const reason = 'Reason';
export const reasonSeenAsWritten = 'The user sees this text as written.';
export const durationDays = 'Duration (days)';
export const durationLimits = 'From {min} to {max}.';
export const reverse = 'Reverse';
export const decisionReversed = 'Reversed.';
export const reverseConsequence = 'The action is undone and the user notified.';
export const reasonSeenByUser = 'The user sees this.';

// case-user
export const banned = 'Banned';
export const suspendedUntil = 'Suspended until {blockedUntil}';
export const active = 'Active';
export const accurateReports = 'Accurate reports';
export const untilDay = ' until {day}';
export const reversedSuffix = ', reversed';
export const automatic = 'Automatic';
export const viaCli = 'Via CLI';
export const byOperator = 'By @{operator}';

// copyright
export const deletedAfterRetentionPeriod = 'Deleted after retention period';
export const postalAddress = 'Postal address';
export const noticesUpheld = '{noticeCount} upheld within {strikeMonths} months';
export const strikePolicy = '{countText}. Policy: account closure at {strikes} strikes.';
export const strikePolicyReached = '{countText}. Policy: close the account. This isn’t done automatically.';
export const repeatInfringerStatus = 'Repeat infringer status';
export const counterNotice = 'Counter-notice';
export const earliestRestoreDate = 'Earliest restore date';
export const automaticRestoreDate = 'Automatic restore date';
export const notice = 'Notice';

// inbox-rows
export const dismiss = 'Dismiss';
export const fromUsers = 'from {userCount}';
export const selectCase = 'Select {title}';
export const unassigned = 'Unassigned';
export const you = 'You';
export const casesDismissed = '{caseCount} dismissed.{skippedNote}';
export const skippedDismissals = ' {skippedCount} couldn’t be dismissed.';
export const dismissSelected = 'Dismiss selected';
export const casesSelected = '{caseCount} selected';
export const decide = 'Decide';
export const dismissReasonHint = 'Complainants see this. Reporters are told no action was taken.';
export const assignedToYou = 'assigned to you';
export const cases = 'Cases';

// open-case
export const caseOpened = '{reference} opened.';
export const caseAlreadyOpen = '{reference} was already open. Your note was added.';
export const caseNoteHint = 'Added to the case as a note.';
export const opening = 'Opening…';
export const openACase = 'Open a case';
export const openCaseAboutUser = 'Open a case about this user';
export const whatDidTheyDo = 'What did they do?';

// refunds
export const refundItems = 'Refund items';
export const purchaseBetween = '{title}, @{buyer} to @{creator}';
export const sentToFinance = 'sent to finance';
export const sendToFinance = 'Send to finance';
export const returnToItsQueue = 'Return to its queue';
export const refundsHandledByFinance = 'Refunds are handled by finance.';
export const noteForFinance = 'Note for finance';
export const sending = 'Sending…';
export const cancel = 'Cancel';

// reopen
export const undoReason = 'Undone.';
export const casesReopened = '{caseCount} reopened.{skippedNote}';
export const skippedReopenings = ' {skippedCount} couldn’t be reopened.';
export const reopenConsequence = 'Reopens the case with a new deadline and notifies people who were told the outcome.';
export const reopen = 'Reopen';

// reply-panel
export const templateSaved = 'Template saved.';
export const templateName = 'Template name';
export const saving = 'Saving…';
export const saveTemplate = 'Save template';
export const templateUpdated = 'Template updated.';
export const templateRestored = 'Template restored.';
export const templateDeleted = 'Template “{title}” deleted.';
export const updating = 'Updating…';
export const updateTemplate = 'Update template';
export const deleting = 'Deleting…';
export const deleteTemplate = 'Delete template';
export const editOrDeleteTemplate = 'Edit or delete “{title}”';
export const saveAsTemplate = 'Save as template';
export const repliedAndClosed = 'Replied and closed.';
export const replySent = 'Reply sent.';
export const template = 'Template';
export const chooseATemplate = 'Choose a template';
export const messageToUser = 'Message to user';
export const replyAndClose = 'Reply and close';

// use-case-navigation
export const lastCaseReached = 'This is the last case.';
export const firstCaseReached = 'This is the first one here.';
