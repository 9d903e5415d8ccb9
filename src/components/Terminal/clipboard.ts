/** Copies words; false where the browser does not allow it. */
export async function copyWords(words: string): Promise<boolean> {
  try {
    // There is no clipboard on plain-http pages other than localhost.
    if (!navigator.clipboard) return false;
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    // The member or a policy denied it: the caller says how to copy by hand.
    return false;
  }
}

/** What the clipboard holds; null where the browser does not allow reading it. */
export async function readClipboard(): Promise<string | null> {
  try {
    return navigator.clipboard?.readText ? await navigator.clipboard.readText() : null;
  } catch {
    // Denied: the caller names the key that pastes without this permission.
    return null;
  }
}
