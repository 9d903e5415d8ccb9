const KEY = 'visitId';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The random number of this browser tab. It names nobody and ends with the tab. */
export function visitId(): string {
  try {
    const known = sessionStorage.getItem(KEY) ?? '';
    if (UUID.test(known)) return known;
    const made = randomId();
    sessionStorage.setItem(KEY, made);
    return made;
  } catch {
    // Where storage is forbidden or full, the visit ends with the page.
    return randomId();
  }
}

/** A version 4 UUID; `crypto.randomUUID` is missing on plain http. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
