// call-thread
export const noMessagesYet = 'No messages yet';
export const emptyMessagesHint = 'Messages from them appear here.';

// calls-overlay
export const tipCreator = 'Tip {creatorName}';
export const blockQuestion = 'Block {name}?';
export const blockAndEndCallConsequence =
  'This ends the call. Neither of you can call, message or tip until you unblock.';
export const blockAndEndCall = 'Block and end call';
