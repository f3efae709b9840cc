// chat-layout
export const messageUsers = 'Message {userCount}';
export const messageAGroup = 'Message a group';
export const noChatSelected = 'No chat selected';
export const selectAChat = 'Select a chat';
export const arrowKeysHint = 'Use the arrow keys and Enter.';

// open-thread
export const broadcasts = 'Broadcasts';
