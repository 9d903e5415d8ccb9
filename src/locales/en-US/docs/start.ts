import type { ReadingWords } from '@/components/ReadingText';

const words: ReadingWords = {
  title: 'Documentation Center',
  since: 'Last changed',
  day: '2026-11-21',
  intro: 'From an empty bench to a running workshop in five minutes, and what it costs.',
  sections: [
    {
      title: '1. Make a workshop',
      paragraphs: [
        'Open My Lab → Workshop and choose New workshop. Give it a name, pick how much processor and memory it gets, and an image: the software it starts with. The price per hour and how long your balance lasts at it stand beside each choice.',
        'A workshop is your own computer, and what you keep; each time it runs is a lab. You can keep several and run as many at once as your level allows.',
      ],
    },
    {
      title: '2. Start it and work',
      paragraphs: [
        'Start shows each step until the workshop runs. Then open its terminal: a shell in the browser, with several tabs if you like. Closing the page does not stop it; come back and the screen is as you left it.',
        'Everything in the home folder stays when the workshop stops. Anything outside it is new at every start.',
      ],
    },
    {
      title: '3. What it costs',
      paragraphs: [
        'Computing is measured in DCU. A lab that runs is charged by the millisecond at the rate you saw before starting; a workshop that waits, starts or is stopped costs nothing. Time we could not confirm is free.',
        'A start needs ten minutes of its rate in your balance. While the lab runs, its next ten minutes are held; what is left of them comes back when it stops. When the balance is used up the lab is stopped and the files are kept.',
      ],
    },
    {
      title: '4. Stop it, or let it stop',
      paragraphs: [
        'Stop ends the meter at once. Set a maximum of hours if you tend to forget; each level also has its own maximum. The card of a running workshop always says what stops it next, and when.',
      ],
    },
    {
      title: '5. Check the bill',
      paragraphs: [
        'My Account shows the balance, the parts it is made of and when each of them ends. Below stands every change there ever was: how long each lab ran, at which rate, and the balance after it. Hover over an amount to read all six decimals.',
      ],
    },
  ],
};

export default words;
