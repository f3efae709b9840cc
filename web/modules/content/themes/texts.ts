// apply
export const undo = 'Undo';
export const themeApplied = '{name} applied.';
export const applying = 'Applying…';
export const applyTheme = 'Apply {name}';
export const applyButton = 'Apply';

// colour-field
export const contrastTooLow = 'Contrast too low';
export const contrastRefusal = '{pairing}{ratio}. Minimum is {minimum}, so it can’t be saved.';
export const colorOnBackgroundIs = '{colour} on {against} is';
export const textOnColorIs = 'Text on {colour} is';
export const closestColorThatWorks = 'Closest color that works';
export const useNearestColor = 'Use {nearest}';
export const customColorLabel = '{label}: custom color';
export const other = 'Other';
export const hexCodeLabel = '{label} hex code';
export const hexColorHint = 'Enter a hex color like #2f5d50.';

// labels
export const classic = 'Classic';
export const hero = 'Hero';
export const box = 'Box';
export const round = 'Round';
export const oneColumn = 'One column';
export const grid = 'Grid';
export const original = 'Original';
export const inYourAccent = 'In your accent';
export const accentOnly = 'Accent only';
export const wideAndBold = 'Wide and bold';
export const narrowAndLoud = 'Narrow and loud';
export const lightAndOpen = 'Light and open';
export const softAndFriendly = 'Soft and friendly';

// miniature
export const unlocked = 'Unlocked';
export const free = 'Free';
export const untitled = 'Untitled';
export const yourName = 'Your name';
export const whatYouMake = 'What you make';
export const call = 'Call';
export const follow = 'Follow';
export const firstPostTitle = 'First';
export const secondPostTitle = 'Second';
export const postTitled = '{title} post';

// theme-form
export const showTheme = 'Preview';
export const automatic = 'Automatic';
export const sameColors = 'Same colors';
export const custom = 'Custom';
export const font = 'Font';
export const lightAndDarkMode = 'Light and dark mode';
export const automaticModeHint = 'We create the other mode from your colors.';
export const sameColorsHint = 'Everyone sees the same colors.';
export const customModeHint = 'Choose your own colors for the other mode.';
export const accentOtherMode = 'Accent (other mode)';
export const backgroundOtherMode = 'Background (other mode)';
export const accent = 'Accent';
export const background = 'Background';
export const cover = 'Cover';
export const buttonCorners = 'Button corners';
export const header = 'Header';
export const photos = 'Photos';
export const posts = 'Posts';
