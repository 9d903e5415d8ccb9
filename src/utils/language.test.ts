import { asNamed, chosenLocale, currentDirection, currentLanguage, inOwnDirection, withoutDirection } from './language';

describe('the language', () => {
  const speak = (language: string) => jest.spyOn(window.navigator, 'language', 'get').mockReturnValue(language);
  beforeEach(() => window.localStorage.clear());
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['en-GB', 'en-US'],
    ['zh-TW', 'zh-CN'],
    ['fr-FR', 'zh-CN'],
    ['he-IL', 'zh-CN'],
    ['', 'zh-CN'],
  ])('of a browser that speaks %j is %s', (browser, language) => {
    speak(browser);

    expect(currentLanguage()).toBe(language);
    expect(currentDirection()).toBe('ltr');
  });

  it('is the stored choice before the browser’s', () => {
    speak('zh-CN');
    window.localStorage.setItem('umi_locale', 'en-US');

    expect(currentLanguage()).toBe('en-US');
  });

  it.each([
    ['he-IL', 'en-GB', 'en-US'],
    ['ar', 'ar-EG', 'zh-CN'],
    ['fa-IR', 'zh-TW', 'zh-CN'],
    ['ku', 'en-US', 'en-US'],
  ])('runs from right to left when %s was chosen, in the words nearest to a browser of %s', (locale, browser, language) => {
    speak(browser);
    window.localStorage.setItem('umi_locale', locale);

    expect(chosenLocale()).toBe(locale);
    expect(currentDirection()).toBe('rtl');
    expect(currentLanguage()).toBe(language);
  });
});

describe('words on a page from right to left', () => {
  const isolated = (words: string) => `\u2066${words}\u2069`;

  it.each([
    ['1 lab running', isolated('1 lab running')],
    ['欢迎回到您的工坊。', isolated('欢迎回到您的工坊。')],
    ['−0.25', isolated('−0.25')],
    ['New workshop', 'New workshop'],
    ['新建工坊', '新建工坊'],
  ])('keep figures and marks where they belong: %s', (words, expected) => {
    window.localStorage.setItem('umi_locale', 'ar');

    expect(inOwnDirection(words)).toBe(expected);
    expect(withoutDirection(expected)).toBe(words);
  });

  it('stand apart from a name of the other direction', () => {
    expect(asNamed('שלום')).toBe('\u2068שלום\u2069');
    expect(asNamed('Gradient descent 2')).toBe('Gradient descent 2');
  });

  it('are left alone from left to right', () => {
    window.localStorage.setItem('umi_locale', 'zh-CN');

    expect(inOwnDirection('1 lab running')).toBe('1 lab running');
  });
});
