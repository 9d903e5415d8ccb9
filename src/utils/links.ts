/** Places outside the console. The gateway answers both, itself or by leading on to where the operator keeps them. */
export const links = {
  docs: '/docs/',
  editorExtension: '/docs/editor-extension/',
} as const;
