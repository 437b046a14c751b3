import { z } from 'zod';

/** Colours that suit a terminal: those that it has, what can be read on dark or on light, or none. */
export const themes = ['auto', 'dark', 'light', 'none'] as const;

/** How screens look and are used: a matter of the person, whose own file is the place for it. */
const screenKeys = {
  theme: z.enum(themes).default('auto').describe('Colours of the screen; auto: those of the terminal'),
  ascii: z
    .boolean()
    .optional()
    .describe('Whether signs, lines and bars are of ASCII; default: where the locale has no Unicode'),
  reducedMotion: z.boolean().default(false).describe('Whether nothing on the screen moves by itself'),
  mouse: z.boolean().default(false).describe('Whether clicks pick and the wheel scrolls on the screen'),
};

/** What `screen` in the configuration may say. */
export const screenSchema = z.strictObject(screenKeys).prefault({});

/** How screens are to look, complete. */
export type ScreenConfig = z.infer<typeof screenSchema>;
