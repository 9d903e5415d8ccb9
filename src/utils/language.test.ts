import { chosenLocale, currentDirection, currentLanguage } from './language';

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

  it.each(['he-IL', 'ar', 'fa-IR', 'ku'])('runs from right to left when %s was chosen, in words we have', (locale) => {
    window.localStorage.setItem('umi_locale', locale);

    expect(chosenLocale()).toBe(locale);
    expect(currentDirection()).toBe('rtl');
    expect(currentLanguage()).toBe('zh-CN');
  });
});
