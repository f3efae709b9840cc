/** Addresses of pages, named once (row W3). */

export const PATHS = {
  home: '/',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  preferences: '/preferences',
  fanHome: '/fan',
  fanDashboard: '/fan/feed',
  fanChat: '/fan/chat',
  fanWallet: '/fan/wallet',
  fanMedia: '/fan/media',
  fanProfile: '/fan/profile',
  creatorDashboard: '/creator',
  creatorChat: '/creator/chat',
  creatorFeed: '/creator/feed',
  creatorMedia: '/creator/media',
  creatorNewPost: '/creator/post/add',
  creatorProfile: '/creator/profile',
  creatorSettings: '/creator/profile/settings',
  adminSettings: '/admin/settings',
} as const;
