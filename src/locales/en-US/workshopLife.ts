/** What is said before a lab stops, is stopped, extended or deleted; it travels with the dialogs and warnings. */
export default {
  'workshop.stop.title': 'Stop {name}?',
  'workshop.stop.text':
    'Programs that still run in it end, and its terminals close. Everything in its home folder stays, and the meter stops.',
  'workshop.stop.cost': 'This run so far: {cost} DCU in {duration}.',
  'workshop.stop.lost':
    'The lab is out of reach right now. Its run ends with the last moment it was seen; nothing after that is charged.',
  'workshop.stop.keep': 'Keep it running',
  'workshop.delete.title': 'Delete {name}?',
  'workshop.delete.text': 'Its home folder and every file in it are deleted for good. Bills and balance changes stay.',
  'workshop.delete.confirm': 'Delete workshop',
  'workshop.delete.keep': 'Keep it',
  'workshop.change.title': 'Change {name}',

  'life.warning.in': 'Stops by itself in',
  'life.warning.IDLE': 'It was last used {since}.',
  'life.warning.BALANCE': 'Then the balance is used up. Files are kept.',
  'life.warning.MAX_HOURS': 'Then your maximum hours are over. Files are kept.',
  'life.warning.LEVEL_MAX_HOURS': 'Then the hours of your level are over. Files are kept; it can be started again.',
  'life.way.topUp': 'Top up',
  'life.way.packages': 'See packages',

  'life.extend.title': 'Let {name} run longer',
  'life.extend.now': 'It stops {moment}: {cause}.',
  'life.extend.idleSince': 'It was last used {since} and stops after {minutes} min without use.',
  'life.extend.inUse': 'It is in use. It stops after {minutes} min without use.',
  'life.extend.balance': 'The balance is what ends it; more hours would not help.',
  'life.extend.level':
    'No more hours can be added: your level ends each run. Larger packages let it run longer; a stopped lab can be started again at once.',
  'life.extend.hours': 'Add hours',
  'life.extend.most': '{hours, plural, one {# hour} other {# hours}} can still be added.',
  'life.extend.cost': '{hours, plural, one {# hour costs} other {# hours cost}} {cost} DCU.',
  'life.extend.later': 'It then stops {moment}.',
  'life.extend.add': 'Add {hours, plural, one {# hour} other {# hours}}',

  'life.force.title': 'Stop {name} at once?',
  'life.force.lost':
    'Programs get no moment to end: what they have not written to a file yet is lost, and files being written may be cut off.',
  'life.force.kept': 'Everything already in the home folder stays, and the meter stops.',
  'life.force.wait': 'Let it stop by itself',

  'life.stopAll.title': 'Stop every lab?',
  'life.stopAll.which': 'Labs that stop',
  'life.stopAll.confirm': 'Stop {count, plural, one {# lab} other {# labs}}',
  'life.stopAll.none': 'No lab runs any more.',
  'life.stopAll.done': '{count, plural, =0 {No lab was running} one {# lab is stopping} other {# labs are stopping}}',
} as const;
