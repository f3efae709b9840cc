/** Every page and its address, in one place. */
import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  layout('./shell.tsx', [
    index('../pages/home.tsx'),
    route('profile/:id', '../pages/profile.tsx'),
    route('post/:id', '../pages/post.tsx'),
    layout('./fan-area.tsx', [
      route('fan', '../pages/fan/index.tsx'),
      route('fan/chat', '../pages/fan/chat.tsx', [
        index('../pages/fan/chat-index.tsx'),
        route(':conversationId', '../pages/fan/chat-thread.tsx'),
      ]),
      route('fan/feed', '../pages/fan/feed.tsx'),
      route('fan/follow', '../pages/fan/follow.tsx'),
      route('fan/media', '../pages/fan/media.tsx'),
      route('fan/wallet', '../pages/fan/wallet.tsx'),
      route('fan/wallet/receipt/:id', '../pages/fan/wallet-receipt.tsx'),
      route('fan/wallet/return', '../pages/fan/wallet-return.tsx'),
      route('fan/profile', '../pages/settings.tsx', { id: 'fan-settings' }),
    ]),
    layout('./creator-area.tsx', [
      route('creator', '../pages/creator/dashboard.tsx'),
      route('creator/followers', '../pages/creator/followers.tsx'),
      route('creator/chat', '../pages/creator/chat.tsx', [
        index('../pages/creator/chat-index.tsx'),
        route(':conversationId', '../pages/creator/chat-thread.tsx'),
      ]),
      route('creator/feed', '../pages/creator/feed.tsx'),
      route('creator/post/add', '../pages/creator/post-add.tsx'),
      route('creator/media', '../pages/creator/media.tsx'),
      route('creator/media/:id', '../pages/creator/media-detail.tsx'),
      route('creator/media/edit/:id', '../pages/creator/media-edit.tsx'),
      route('creator/post/:id/edit', '../pages/creator/post-edit.tsx'),
      route('creator/post/:id/preview', '../pages/creator/post-preview.tsx'),
      route('creator/profile', '../pages/creator/profile.tsx'),
      route('creator/profile/settings', '../pages/settings.tsx', { id: 'creator-settings' }),
    ]),
    layout('./admin-area.tsx', [route('admin/settings', '../pages/settings.tsx', { id: 'admin-settings' })]),
    route('dev/gallery', '../pages/dev-gallery.tsx'),
    route('dev/mailbox', '../pages/dev-mailbox.tsx'),
    route('*', './not-found.tsx'),
  ]),
  route('login', '../pages/login.tsx'),
  route('signup', '../pages/signup.tsx'),
  route('forgot-password', '../pages/forgot-password.tsx'),
  route('confirm-mail', '../pages/confirm-mail.tsx'),
  route('success-mail', '../pages/success-mail.tsx'),
  route('embed/post/:id', '../pages/embed/post.tsx'),
  route('embed/profile/:id', '../pages/embed/profile.tsx'),
  route('preferences', './preferences.ts'),
  route('r/:id', './referral.ts'),
] satisfies RouteConfig;
