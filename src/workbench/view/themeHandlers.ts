import type { ViewHandlers, ViewPorts } from './viewPorts';

type ThemeHandlers = Pick<ViewHandlers, 'code-theme'>;

/** The colours of the reader's theme. */
export function themeHandlers({ codeThemes }: ViewPorts): ThemeHandlers {
  return { 'code-theme': async () => (await codeThemes.view()) ?? null };
}
