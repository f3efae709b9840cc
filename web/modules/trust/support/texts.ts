// complaint-forms
export const urlOrLocation = 'URL or location';
export const locationHint = 'Paste the link or tell us where you saw it.';
export const whatIsWrong = 'What’s wrong?';
export const yourName = 'Your name';
export const email = 'Email';
export const complaintEmailHint = 'We’ll reply here. Use it with your reference number to check the status.';
export const goodFaithStatement = 'I’m submitting this in good faith and it’s accurate to the best of my knowledge.';
export const submitComplaint = 'Submit complaint';
export const referenceNumber = 'Reference number';
export const referenceExample = 'For example SD-7K2M-9QXV';
export const checking = 'Checking…';
export const checkStatus = 'Check status';

// contact-dialog
export const submit = 'Submit';

// contact-form
export const contactUs = 'Contact us';
export const contactFormHint = 'Please provide below details for further process your account';
export const name = 'Name';
export const details = 'Details';

// message-form
export const topic = 'Topic';
export const sending = 'Sending…';
export const leaveWithoutSendingQuestion = 'Leave without sending?';
export const unsentMessageHint = 'You haven’t sent this yet.';

// pictures
export const photos = 'Photos';
export const removePhoto = 'Remove {name}';
export const adding = 'Adding…';
export const addPhoto = 'Add photo';

// public-message
export const replyDateLabel = 'We’ll reply by';

// questions
export const priceRange = 'from {min} to {max}';
export const feeTerms = '{generalFee}% of each sale{offer}.';
export const newCreatorOffer = ', and {fee}% in your first {days} days';
export const addFundsQuestion = 'How do I add funds?';
export const addFundsAnswer =
  'Open your wallet and select Add funds. You see what you get, the card fee of {feePercent}% and what you pay before you enter your card. Your balance updates once the payment is confirmed.';
export const missingDepositQuestion = 'I paid but my balance hasn’t changed. What should I do?';
export const missingDepositAnswer =
  'It usually takes seconds, sometimes a few minutes. Until then your wallet shows the deposit as requested. If it’s still pending after an hour, contact us with the date and amount.';
export const postPricesQuestion = 'How much do posts cost, and do I keep them?';
export const postPricesAnswer =
  'Paid posts cost {priceRange}. The price is on the button. Posts you unlocked stay in your media even if the creator deletes them. We only remove content that breaks the law or our rules.';
export const callChargesQuestion = 'How are calls charged?';
export const callChargesAnswer =
  'By the second, while you’re both connected. Calls under {freeSeconds} seconds are free. When a call starts we hold the price of {holdMinutes} minutes; unused funds are released right away, and you get a detailed receipt.';
export const tipsQuestion = 'How much can I tip?';
export const tipsAnswer =
  'You can tip {priceRange} on a profile, a post, in chat and during a call. The creator is notified right away.';
export const subscriptionsQuestion = 'How do subscriptions work?';
export const subscriptionsAnswer =
  'Choose a tier on a creator’s profile. It opens the posts it includes and renews at the same price until you cancel, from your balance or by card. Some tiers start with a free trial of up to {trialDays} days. Before you confirm, you see today’s charge, the next one and its date. Find them all under Subscriptions.';
export const offersQuestion = 'How do I use an offer?';
export const offersAnswer =
  'Open the creator’s link, or enter the code before you subscribe. You see the discounted price, how many payments it covers and the full price after that. You can use each offer once, until it ends or is used up.';
export const cancelQuestion = 'How do I cancel a subscription?';
export const cancelAnswer =
  'Open Subscriptions and select Cancel. You keep access until the end of the period you paid for, and you can undo it until then.{refund}';
export const subscriptionRefund =
  ' You can request a refund of the last charge within {hours} hours if you’ve opened nothing since.';
export const failedRenewalQuestion = 'What happens if a renewal fails?';
export const failedRenewalAnswer =
  'We try again for {days} days, and you keep access meanwhile. Add funds or select Pay now. Your balance is never overdrawn. A higher price is only charged if you accepted it.';
export const tiersQuestion = 'How do I offer subscriptions?';
export const tiersAnswer =
  'Create up to five tiers under Subscription tiers, at {priceRange} a week or month. Choose for each post who can open it. If you raise a price, subscribers keep theirs for at least 30 days and are asked to accept the new one. To attract subscribers, add an offer: a discount on their first payments with a link or a code.';
export const feesQuestion = 'How much does Stagedoor take?';
export const feesAnswer = '{terms} See your current fee and a price calculator under Fees and prices.';
export const payoutsQuestion = 'When can I get paid?';
export const payoutsAnswer =
  'Your earnings clear after {clearingDays} days; each transaction shows its date. You can request a payout from {payoutMinimum} ({cryptoMinimum} for crypto). New payout methods are available after {coolingHours} hours.';
export const verifiedToPublish = 'You need to be verified to publish posts and to sell.';
export const verifiedToSell = 'You need to be verified to sell. You can publish free posts before.';
export const verificationQuestion = 'How do I get verified?';
export const verificationAnswer =
  '{purpose} Open Verification in Settings. You need to enter your details, upload a photo of your ID and a selfie, and sign the agreement. We reply within {answerDays} business days. Your selfie is deleted {retentionDays} days after the decision.';
export const harassmentQuestion = 'Someone is bothering me. What can I do?';
export const creatorHarassmentAnswer =
  'Block them from the chat details. Neither of you can message, tip or call until you unblock. You can also report the message, call or profile, and our team will review it. We won’t tell them who reported them.';
export const fanHarassmentAnswer =
  'Block them from the chat details. Neither of you can message or call until you unblock. You can also report the message, call or profile, and our team will review it. We won’t tell them who reported them.';
export const reportsQuestion = 'What happens when I report something?';
export const reportsAnswer =
  'Our team reviews it within a day. We’ll notify you of the outcome. You can see your reports here. If we took no action, you can request one review within {months} months. Reports of the same content are reviewed together.';
export const appealsQuestion = 'How do I appeal a decision?';
export const appealsAnswer =
  'Every decision is listed here under Decisions, with its reason. You can appeal within {months} months, and a different person reviews it. If you can’t log in, follow the instructions on the login page to appeal.';
export const protectAccountQuestion = 'How do I protect my account?';
export const protectAccountAnswer =
  'Turn on two-factor authentication in Settings and save your recovery codes. There you can also see your logged-in devices and log them out. We’ll never ask for your password.';
export const loginQuestion = 'I can’t log in';
export const loginAnswer =
  'Reset your password on the login page. We’ll send a link to your account’s email. If you can’t use your two-factor authentication app, use one of your recovery codes.';
export const fewerNotificationsQuestion = 'How do I get fewer notifications?';
export const fewerNotificationsAnswer =
  'In Notification settings, choose push, email or in-app for each type, and set quiet hours.';

// status
export const inReview = 'In review';
export const waitingForYourReply = 'Waiting for your reply';
export const closed = 'Closed';
export const reply = 'Reply';
export const yourReply = 'Your reply';
export const addDetails = 'Add details';
export const send = 'Send';
export const checkHighlightedFields = 'Check the highlighted fields.';
export const status = 'Status';

// tickets
export const answered = 'Answered';
export const willReplyBy = 'We’ll reply by {answerBy}';
export const noSupportRequestsYet = 'No support requests yet';
export const noSupportRequestsHint = 'Your requests and our replies appear here.';
export const supportRequests = 'Support requests';
export const stagedoor = 'Stagedoor';
export const you = 'You';
export const attachment = 'Attachment {index}';
export const conversation = 'Conversation';
export const reopen = 'Reopen';
export const closing = 'Closing…';
export const markAsResolved = 'Mark as resolved';
export const requestMissing = 'Request not found';
export const yourMessage = 'Your message';
export const contactSupport = 'Contact support';
