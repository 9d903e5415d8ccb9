/** What a limit of level or balance asks for, said by the dialog it opens (`limitDialog`). */
export default {
  'limit.cpu.title': 'More CPU than your level allows',
  'limit.cpu.way': 'Choose a smaller size, stop a lab that is running, or take a package with more cores.',
  'limit.labs.title': 'As many labs as your level runs at once',
  'limit.labs.way': 'Stop one of them, or take a package that runs more at once.',
  'limit.storage.title': 'Your files take more room than your level has',
  'limit.storage.way':
    'One workshop at a time still starts, so that you can delete files in it. A workshop you no longer need takes its files along when it is deleted; a higher level has more room.',
  'limit.balance.title': 'Not enough DCU to start',
  'limit.balance.way': 'Your account shows what is held by running labs and when each part of the balance ends.',
  'limit.rate.title': 'More DCU per hour than your level allows',
  'limit.rate.way': 'Stop a lab that is running, choose a smaller size, or take a package that allows more.',
  'limit.realName.title': 'A verified real name is needed',
  'limit.toPackages': 'See packages',
  'limit.toWorkshops': 'See my workshops',
  'limit.toRunning': 'See what is running',
  'limit.toAccount': 'See my account',
  'limit.toTopUp': 'Top up',
  'limit.toRealName': 'Verify my real name',
  'limit.close': 'Close',
} as const;
