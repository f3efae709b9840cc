// announcements
export const ringingAnnouncement = 'Ringing.';
export const connectedBillingStarted = 'Connected. Billing started.';
export const stoppedRinging = 'Stopped ringing.';
export const answeredAnnouncement = '{name} answered.';
export const callMovedAnnouncement = 'The call moved to your other device.';

// availability-widget
export const callsOn = 'Calls on';
export const callsOff = 'Calls off';
export const fansCanCallYou = 'Fans can call you';

// availability
export const takeCalls = 'Take calls';
export const callsOnHint = 'Fans can call you when you’re online, during your hours.';
export const callsOffHint = 'Calls are off. Fans see that you’re not available.';
export const videoRate = 'Video {price}';
export const voiceRate = 'voice {price}';
export const calls = 'Calls';
export const noPricesHint = 'Fans pay per minute to talk to you. You set the price.';
export const setYourPrice = 'Set your price';
export const pricesHoursAndMinimumBalance = 'Prices, hours and minimum balance';
export const missedCall = 'missed call';

// call-button
export const callsUnavailable = 'Calls unavailable';
export const callAtRate = 'Call {callRate}';
export const callButton = 'Call';
export const voiceCallRate = 'Voice call, {price} per minute';
export const threadCallButton = 'Call · {callRate}';

// call-elements
export const yourVideo = 'Your video';
export const yourCameraIsOff = 'Your camera is off';
export const noCamera = 'No camera';

// call-labels
export const chatToCall = 'Chat first';
export const followToCall = 'Follow to call';
export const buyersCallOnly = 'For paying fans';
export const subscribeToCall = 'Subscribe to call';

// call-over
export const backToChat = 'Back to chat';
export const callAgain = 'Call again';
export const sendAMessage = 'Send a message';

// call-receipt
export const youCalled = 'You called';
export const userCalled = '{name} called';
export const ringing = 'Ringing';
export const actorAnswered = '{actorName} answered';
export const unknownActor = 'They';
export const connectedBillingStarts = 'Connected, billing starts';
export const connectionLostBillingStops = 'Connection lost, billing stops';
export const actorSwitchedDevices = '{actorName} switched devices';
export const lowBalanceWarning = 'Low balance warning';
export const tipPaidFromHold = 'Tip paid from held funds';
export const anotherMinuteHeld = 'Another minute on hold';
export const actorEndedCall = '{actorName} ended the call';
export const reconnected = 'Reconnected';
export const releasedToYou = 'Released to you';
export const fanPaid = 'Fan paid';
export const refundedToTheFan = 'Refunded to the fan';
export const youEarn = 'You earn';
export const fanPaidForTheCall = 'Fan paid for the call';
export const fanTotalPaid = 'Total paid';
export const call = 'Call';
export const tips = 'Tips';
export const refundedToYou = 'Refunded to you';
export const withTips = '{label} with tips';
export const ledgerEntries = 'Ledger entries';
export const paid = 'Paid';
export const freeCallSummary = 'Free: {duration}, calls under {freeLimit} are free';
export const chargedTimeAtRate = '{duration} at {callRate}';
export const reportThisCall = 'Report this call';
export const tipsInCall = 'Tips in this call';
export const receipt = 'Receipt';
export const receiptError = 'Couldn’t load the receipt.';
export const calculating = 'Calculating';

// call-stage
export const spent = 'Spent';
export const includingTips = 'Including tips';
export const callTime = 'Time';
export const under30SecondsLeft = 'Under 30 seconds left';
export const under2MinutesLeft = 'Under 2 minutes left';
export const lowFundsHint = 'After that the call ends. Add funds in a new tab and keep talking.';
export const leftOfSpendingLimit = '{timeLeft} of your spending limit';
export const limitEndHint = '{limit} After that the call ends, and adding funds doesn’t change that.';
export const spendingLimits = 'Spending limits';
export const addFunds = 'Add funds';
export const notNow = 'Not now';
export const youreNotCharged = 'You’re not charged.';
export const nothingIsCharged = 'Nothing is charged.';
export const reconnecting = 'Reconnecting';
export const connecting = 'Connecting';
export const reconnectProgress = '{elapsed} of {limit}';
export const billingPausedHint =
  'Billing paused at {duration}. If you don’t reconnect within {reconnectSeconds} seconds, the call ends.';
export const billingStartsHint = 'Billing starts once you’re both connected.';
export const otherCameraIsOff = '{name}’s camera is off';
export const otherVideo = '{name}’s video';
export const callKindRate = '{callKind}, {callRate} per minute';
export const rateBilledBySecond = '{callRate} per minute, billed by the second';
export const theirMicrophoneIsOff = 'Their microphone is off';
export const callingUser = 'Calling {name}';
export const notChargedYetHint = '{ringLimit}You won’t be charged until {name} answers.';
export const ringLimitHint = 'Rings for up to {ringSeconds} seconds. ';
export const amountLeft = '{amount} left';
export const reconnectingAnnouncement = 'Reconnecting. Nothing is charged.';
export const reconnectingNotCharged = 'Reconnecting, not charged';
export const thisCall = 'This call';
export const hideChat = 'Hide chat';
export const talkTimeLeft = 'Talk time left';
export const rateLabel = 'Rate';
export const endCall = 'End call';
export const end = 'End';
export const accept = 'Accept';
export const callKindWithUser = '{callKind} with {name}';
export const videoAndControls = 'Video and controls';
export const minimize = 'Minimize';
export const callingStage = 'Calling';

// call-time
export const today = 'Today';
export const yesterday = 'Yesterday';

// call-times
export const availableForCallsNow = 'Available for calls now';
export const inACallRightNow = 'In a call right now';
export const availableAgainAt = 'Available again {time}';
export const offline = 'Offline';
export const notTakingCallsRightNow = 'Not taking calls right now';
export const takesCallsFromChats = 'Takes calls from people they chat with';
export const takesCallsFromFollowers = 'Takes calls from followers';
export const takesCallsFromSubscribers = 'Takes calls from subscribers';
export const takesCallsFromBuyers = 'Takes calls from fans who paid before';
export const videoPerMinute = 'Video, per minute';
export const voicePerMinute = 'Voice, per minute';
export const hoursOffsetHint = 'Times are in {hoursOffset}.';

// clock
export const lengthInHours = '{hourCount} h {minutes} min';
export const lengthInMinutes = '{minutes} min {seconds} s';
export const amountSpent = '{amount} spent';
export const amountEarned = '{amount} earned';
export const leftToday = 'Left today';
export const leftThisWeek = 'Left this week';
export const leftThisMonth = 'Left this month';
export const remainingBalance = 'Left in this call';
export const talkTimeInSeconds = '{seconds} seconds';
export const talkTimeInHours = 'about {hourCount} h';
export const talkTimeInMinutes = 'about {minutes} min';

// controls
export const cameraAndAudio = 'Camera and audio';
export const more = 'More';
export const switchCamera = 'Switch camera';
export const pictureInPicture = 'Picture in picture';
export const fullScreen = 'Full screen';
export const blockUser = 'Block {name}';
export const unmuteMicrophone = 'Unmute microphone';
export const muteMicrophone = 'Mute microphone';
export const turnCameraOn = 'Turn camera on';
export const turnCameraOff = 'Turn camera off';
export const showChat = 'Show chat';
export const cancel = 'Cancel';

// device-check
export const youCanTalkFor = 'You can talk {duration}';
export const yourBalanceIsTooLow = 'Your balance is too low';
export const yourSpendingLimitIsTooLow = 'Your spending limit is too low';
export const fundsHoldExplanation =
  '{balanceAndRate} {spendingLimit}{minimumBalance}We hold funds during the call, charge by the second and release the rest. Calls under {freeSeconds} seconds are free.';
export const availableAtRate = '{balance} available at {callRate}.';
export const spendingLimitHint = 'Your spending limit ends the call first. ';
export const minimumBalanceHint = 'You need funds for at least {minMinutes} min. ';
export const close = 'Close';
export const addFundsToCall = 'Add funds to call';
export const callUser = 'Call {name}';
export const callingProgress = 'Calling…';
export const switchToVoiceCall = 'Switch to voice call';
export const switchToVideoCall = 'Switch to video call';
export const previewHint = 'Preview. Only you can see this.';
export const beforeYouCall = 'Before you call';
export const beforeYouCallVoiceOnly = 'Before you call: voice only';
export const priceError = 'Couldn’t load the price.';

// device-rows
export const microphoneLevel = 'Microphone level';
export const weCanHearYou = 'We can hear you';
export const saySomething = 'Say something';
export const requestingAccess = 'Requesting access…';
export const speaker = 'Speaker';
export const testSound = 'Test sound';
export const tryAgain = 'Try again';
export const microphone = 'Microphone';
export const camera = 'Camera';

// history
export const callbackRequested = 'Callback requested';
export const requestingCallback = 'Requesting…';
export const requestCallback = 'Request callback';
export const openReceiptLabel = '{name}, {callSummary}. Receipt';
export const callUserAgain = 'Call {name} again';
export const noMissedCalls = 'No missed calls';
export const noUnansweredCalls = 'No unanswered calls';
export const noCallsYet = 'No calls yet';
export const emptyHistoryCreatorHint = 'Your calls appear here with their length and what you earned.';
export const emptyHistoryFanHint = 'Your calls appear here with their length and price.';
export const filterCalls = 'Filter calls';
export const all = 'All';
export const missed = 'Missed';
export const unanswered = 'Unanswered';

// hours
export const sun = 'Sun';
export const mon = 'Mon';
export const tue = 'Tue';
export const wed = 'Wed';
export const thu = 'Thu';
export const fri = 'Fri';
export const sat = 'Sat';
export const everyDay = 'Every day';
export const openingDayTime = '{day} {time}';

// incoming-call
export const spentWithYou = 'Spent with you';
export const ringingCountdownHint = 'Rings for {seconds} more seconds. If you decline, {name} sees that you’re busy.';
export const incomingPageTitle = '{name} is calling · Stagedoor';
export const connectionError = 'Can’t connect. Check your internet and try again.';
export const yourRate = 'Your rate';
export const canTalkFor = 'Can talk for';
export const lastCall = 'Last call';
export const incomingCallKind = 'Incoming {callKind}';
export const incomingAnnouncement = '{name} is calling, {callRate}.';
export const followingYouSince = 'Following you since {date}';
export const answering = 'Answering…';
export const decline = 'Decline';

// local-media
export const deviceBlockedTitle = 'Stagedoor can’t access your {deviceKind}.';
export const deviceBlockedHint = 'Allow {deviceKind} access in your browser’s address bar and try again.';
export const noDeviceTitle = 'No {deviceKind} found.';
export const connectOrSwitchToVoice = 'Connect one or switch to a voice call.';
export const connectOneAndTryAgain = 'Connect one and try again.';
export const deviceInUseTitle = 'Your {deviceKind} is in use.';
export const deviceInUseHint = 'Close other apps or tabs using it and try again.';
export const unsupportedDeviceTitle = 'This browser doesn’t support {deviceKind} access.';
export const unsupportedDeviceHint = 'Open Stagedoor in an up-to-date browser over HTTPS.';

// low-funds
export const lowBalance = 'Low';
export const lowBalanceSuffix = 'balance. Add funds';

// minimized-call
export const backToTheCall = 'Back to the call:';
export const callOnAnotherDevice = 'Call on another device';
export const inCallOnAnotherDevice = 'In a call on another device';
export const callingFromAnotherDevice = 'Calling from another device';
export const switchToThisDevice = 'Switch to this device';

// settings-draft
export const invalidRateError = 'Please enter valid amount';
export const rateLimits = 'From {min} to {max} per minute';
export const sameTimeError = 'Start and end are the same time';
export const missingTimeError = 'Enter a start and an end time';
export const overlappingHoursError = 'These hours overlap';
export const minimumBalanceLimits = 'From {min} to {max} minutes';

// settings-form
export const sunday = 'Sunday';
export const monday = 'Monday';
export const tuesday = 'Tuesday';
export const wednesday = 'Wednesday';
export const thursday = 'Thursday';
export const friday = 'Friday';
export const saturday = 'Saturday';
export const creatorShareHint = 'Fans pay {price} per minute, you earn {share}.';
export const callsOfKind = '{callKind} calls';
export const notOffered = 'Not offered';
export const kindPerMinute = '{callKind}, per minute';
export const noCalls = 'No calls';
export const dayFrom = '{day} from';
export const dayUntil = '{day} until';
export const untilNextDay = 'Until {time} on {day}.';
export const removeHours = 'Remove {day} {startTime}';
export const addHours = 'Add hours for {day}';
export const hours = 'Hours';
export const anyTime = 'Any time';
export const anyTimeHint = 'Whenever you’re online and calls are on.';
export const timeZone = 'Time zone';
export const hoursByDay = 'Hours by day';
export const savedToast = 'Saved. Ongoing calls keep their price.';
export const paidCalls = 'Paid calls';
export const prices = 'Prices';
export const whoCanCallYou = 'Who can call you';
export const everyone = 'Everyone';
export const everyoneHint = 'Any fan who can pay for your minimum.';
export const openConversations = 'People you chat with';
export const openConversationsHint = 'Fans whose message request you accepted.';
export const followers = 'Followers';
export const followersHint = 'Fans who follow you.';
export const buyers = 'Paying fans';
export const buyersHint = 'Fans who tipped you or bought something before.';
export const subscribers = 'Subscribers';
export const subscribersHint = 'Fans with a running subscription.';
export const whichSubscribers = 'Which subscribers';
export const declinedFansHint = 'Fans whose request you declined or who you blocked can’t call you.';
export const video = 'Video';
export const voice = 'Voice';
export const minimumBalanceInMinutes = 'Minimum balance, in minutes';
export const minimumBalanceFieldHint =
  'Fans need enough balance for this many minutes to call you. From {min} to {max}.';
export const saving = 'Saving…';
export const save = 'Save';
export const allChangesSaved = 'All changes saved.';

// socket-events
export const callbackRequestToast = '{name} would like you to call back.';

// unanswered-calls
export const missedCalls = 'Missed calls';
export const allCalls = 'All calls';
