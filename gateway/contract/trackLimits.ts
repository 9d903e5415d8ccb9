/** What of a visit may be told and kept. The tracker sends nothing beyond it, the gateway takes nothing beyond it. */
export const trackLimits = {
  batchSize: 10,
  bodyBytes: 65_536,
  /** An event told later than this is forgotten. */
  ageMs: 86_400_000,
  routeLength: 160,
  wordLength: 64,
  fileLength: 128,
  line: 10_000_000,
  timingMs: 600_000,
} as const;

/** The pattern of a page, never an address: words, and the names of parameters instead of their values. `/404` is the one number. */
export const routePattern = '^/(404|:?[A-Za-z][A-Za-z-]{0,39}(/:?[A-Za-z][A-Za-z-]{0,39}){0,7})?$';

/** Ids that somebody gave: no digits, which come with generated ids (`:r1:`, `rc-tabs-0`) and with ids of members' things. */
export const elementPattern = '^(?!rc[-_])[A-Za-z][A-Za-z._-]{0,63}$';

export const errorTypePattern = '^[A-Za-z]{1,64}$';

/** A script's file name as the build gives it. */
export const scriptFilePattern = '^[A-Za-z0-9_.~-]{1,120}[.]m?js$';

/** The name of a link or campaign in any script; neither an e-mail address nor a phone number fits. */
export const originPattern = '^(?!.*[0-9]{9})[\\p{L}\\p{N}_.-]{1,64}$';
