/** Every page and its address, in one place. */
import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  layout('./shell.tsx', [
    index('../pages/home.tsx'),
    route('profile/:id', '../pages/profile.tsx'),
    route('post/:id', '../pages/post.tsx'),
    layout('./fan-area.tsx', [route('fan/profile', '../pages/settings.tsx', { id: 'fan-settings' })]),
    layout('./creator-area.tsx', [route('creator/profile/settings', '../pages/settings.tsx', { id: 'creator-settings' })]),
    route('dev/gallery', '../pages/dev-gallery.tsx'),
    route('dev/mailbox', '../pages/dev-mailbox.tsx'),
    route('*', './not-found.tsx'),
  ]),
  route('preferences', './preferences.ts'),
  route('r/:id', './referral.ts'),
] satisfies RouteConfig;
