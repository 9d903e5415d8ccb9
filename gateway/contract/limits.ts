/** Plain numbers that forms and gateway share. Sources: rules of identity, workshop and ledger in docs/decisions. */
export const limits = {
  username: { min: 3, max: 32 },
  password: { min: 8, max: 128, minStrength: 2 },
  captcha: { digits: 6, ttlSeconds: 300, cooldownSeconds: 60, tries: 5, perHour: 5, perDay: 10 },
  workshopName: { min: 1, max: 40 },
  workshopsPerMember: 50,
  /** A start needs at least this much runway, and this is the lease a running lab holds ahead. */
  leaseMs: 10 * 60_000,
  /** Runway at which a running lab warns. */
  runwayWarningsMs: [30 * 60_000, 5 * 60_000],
  maxHours: { min: 1, max: 168 },
  idleMinutes: { min: 15, max: 1_440 },
  /** How many hours one press of Extend can add. */
  extendHours: { minimum: 1, maximum: 24 },
  /** Before every stop that nobody asked for. */
  warnBeforeStopMs: 10 * 60_000,
  envNames: 32,
  envValueLength: 4_096,
  /** Letters of a path in a home; what of a text file can be edited on the page; what a folder takes on disk. */
  filePathLength: 4_096,
  editableBytes: 1_048_576,
  folderBytes: 4_096,
  terminalsPerWorkshop: 5,
  terminalSocketsPerMember: 20,
  terminalColumns: { min: 20, max: 500 },
  terminalRows: { min: 5, max: 200 },
  sessionDays: 7,
  keptSessionDays: 30,
  /** The highest balance below which a member can want to be told. */
  alertMostDcu: 1_000_000,
  sourceLength: 64,
  /** How long an order can be paid, how many unpaid ones a member may have, and above how much a payment needs a verified real name. */
  orders: { payMinutes: 30, pendingMost: 5, realNameFromFen: 200_000 },
} as const;

/** Letters, digits, `_`, `.` and `-`, beginning with a letter; shown as typed, unique whatever the case. */
export const usernamePattern = '^[A-Za-z][A-Za-z0-9_.-]{2,31}$';
