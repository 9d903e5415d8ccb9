export default {
  'access.opens': 'This is what opens the page to you:',
  'access.unknown': 'Your own workshops and account stay open to you.',
  'access.realName': 'Real-name verification.',
  'access.student': 'Student verification with an education mailbox.',
  'access.level': 'A membership of level {number} ({level}) or higher.',
  'access.toRealName': 'Verify my real name',
  'access.toStudent': 'Verify that I study',
  'access.toLevel': 'See memberships',
} as const;
